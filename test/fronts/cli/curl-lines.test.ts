import { expect, test } from "vitest";
import { type EntryPoints, entryPoints } from "../../../src/fronts/cli/ready.ts";
import { Core } from "../../../src/core/emulator/core.ts";
import { fixtureSetFrom } from "../../../src/core/emulator/emulator.ts";
import type { EmulatorSettings } from "../../../src/core/settings/settings.ts";

async function entryPointsOf(
  fixtures: object,
  settings: EmulatorSettings = {},
): Promise<EntryPoints> {
  const set = await fixtureSetFrom(fixtures, settings);
  return entryPoints(new Core(set, settings), "http://127.0.0.1:4010");
}

test("shows the first table that has rows, and the first model that can chat", async () => {
  const { curl } = await entryPointsOf({
    apiKeys: ["k1", "k2"],
    models: [
      { id: "embed", kind: "embedding" },
      { id: "chat", kind: "chat" },
    ],
    tables: { empty: [], users: [{ id: 1 }] },
  });
  expect(curl.tables).toBe(
    "curl -H 'authorization: Bearer local-token' 'http://127.0.0.1:4010/rest/users?limit=3'",
  );
  expect(curl.chat).toBe(
    "curl -N -H 'authorization: Bearer k1' -H 'content-type: application/json' " +
      `-d '{"model":"chat","stream":true,"messages":[{"role":"user","content":"Hello"}]}' ` +
      "'http://127.0.0.1:4010/v1/chat/completions'",
  );
});

test("leaves out what there is nothing to show of", async () => {
  const { curl } = await entryPointsOf({ tables: {}, models: [{ id: "e", kind: "embedding" }] });
  expect(curl).toEqual({});
});

test("shows an empty table when there is no other", async () => {
  const { curl } = await entryPointsOf({ tables: { empty: [] } });
  expect(curl.tables).toContain("/rest/empty?limit=3'");
});

test("quotes for the shell and the URL", async () => {
  const { curl } = await entryPointsOf(
    { tables: { "it's a b": [] }, models: [{ id: "it's" }] },
    { token: "a'b" },
  );
  expect(curl.tables).toContain(String.raw`'authorization: Bearer a'\''b'`);
  expect(curl.tables).toContain(String.raw`/rest/it'\''s%20a%20b?limit=3'`);
  expect(curl.chat).toContain(String.raw`"model":"it'\''s"`);
});

test("asks for no key where none is asked for, and for any where any will do", async () => {
  const open = await entryPointsOf({ tables: { a: [] }, models: [{ id: "m" }] }, { auth: false });
  expect(open).toMatchObject({ token: undefined, apiKey: undefined });
  expect(`${open.curl.tables} ${open.curl.chat}`).not.toContain("authorization");
  const any = await entryPointsOf({ models: [{ id: "m" }] });
  expect(any.curl.chat).toContain("'authorization: Bearer any-key'");
});

test("goes by the mount points", async () => {
  const { chatUrl, tablesUrl } = await entryPointsOf({}, { basePath: ["/api", "/longer/api"] });
  expect(chatUrl).toBe("http://127.0.0.1:4010/longer/api");
  expect(tablesUrl).toBe("http://127.0.0.1:4010/api/rest");
});

test("names any model where there is no list of them", async () => {
  const { curl } = await entryPointsOf({ tables: {} });
  expect(curl.chat).toContain('"model":"any-model"');
});
