import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { askControl, controlled, entry } from "./controlled.ts";

const asked = controlled({
  entries: [
    entry({ id: "1", path: "/rest/Orders", headers: { "x-tenant": "Acme", "api-key": "sk-1" } }),
    entry({ id: "2", method: "POST", status: 404, body: { name: "Zürich" } }),
    entry({
      id: "3",
      interface: "chat",
      path: "/v1/chat/completions",
      answeredBy: 'script "height" reply 1',
      script: "height",
    }),
  ],
});

test.each([
  ["words=orders", "1"],
  ["words=ORDERS%20acme", "1"],
  ["words=orders%20%C3%BCrich", ""],
  ["words=z%C3%BCrich%20404%20post", "2"],
  ["words=height", "3"],
  ["words=rest&method=POST", "2"],
  ["words=", "123"],
  ["", "123"],
  ["words=sk-1", ""],
  ["words=api-key", "1"],
  ["words=application/json&sessions=all", "123"],
])("finds by %s the requests %s", async (query, ids) => {
  const { status, body } = await askControl(`GET /requests/search?${query}`, asked);
  expect(status).toBe(200);
  const requests = ids.split("").map((id) => ({ id, session: null }));
  expect(body).toEqual({ requests });
});

test("finds what is sent in streams, and what clients send as escapes", async () => {
  const chats = [{ name: "a", reply: { chunks: ["Hel", "lo from Ödön"] } }];
  const { fetch } = await createEmulator({ fixtures: { chats }, auth: false });
  const messages = [{ role: "user", content: "café" }];
  const body = JSON.stringify({ model: "m", stream: true, messages }).replace("é", "\\u00e9");
  await (await fetch("/v1/chat/completions", { method: "POST", body })).text();
  await fetch("/v1/models");
  const found = async (words: string): Promise<unknown> =>
    (await fetch(`/__backlot/requests/search?words=${encodeURIComponent(words)}`)).json();
  for (const words of ["café", "lo from", "ÖDÖN café"]) {
    expect(await found(words)).toEqual({ requests: [{ id: "1", session: null }] });
  }
  expect(await found("hello")).toEqual({ requests: [] });
});

test("gives one request whole by its id", async () => {
  const given = entry({ id: "1", headers: { "x-tenant": "acme" }, body: { a: 1 }, method: "POST" });
  const one = controlled({ entries: [given] });
  expect(await askControl("GET /requests/1", one)).toMatchObject({ status: 200, body: given });
  const missing = await askControl("GET /requests/2", one);
  expect(missing).toMatchObject({ status: 404, code: "unknown_request" });
  expect(JSON.stringify(missing.body)).toContain("GET /__backlot/requests lists");
});

test("knows the paths with names of their own apart from ids", async () => {
  const { status, headers } = await askControl("DELETE /requests/live");
  expect([status, headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
});
