import OpenAI from "openai";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { warnIfOpen } from "../../../src/fronts/cli/ready.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { spawnBacklot } from "./backlot-process.ts";
import { testIo } from "./test-io.ts";

test("an app with the openai SDK runs with its own key and model, and only the base URL changed", async () => {
  const { path: cwd } = await temporaryFolder();
  const backlot = spawnBacklot(["--port", "0"], { cwd });
  const [, baseURL = ""] = await backlot.written(/base URL {2}(\S+)/);
  const client = new OpenAI({ baseURL, apiKey: "sk-proj-of-the-app" });
  const messages = [{ role: "user" as const, content: "What is new?" }];

  const answer = await client.chat.completions.create({ model: "gpt-4o", messages });
  const stream = await client.chat.completions.create({ model: "gpt-4o", messages, stream: true });
  const named = new Set<string>();
  for await (const { model } of stream) named.add(model);

  expect(answer).toMatchObject({ model: "gpt-4o", choices: [{ finish_reason: "stop" }] });
  expect(answer.choices[0]?.message.content).toBe("Echo: What is new?");
  expect(named).toEqual(new Set(["gpt-4o"]));
  expect((await client.models.retrieve("gpt-4o")).id).toBe("gpt-4o");
  expect(backlot.out().match(/The model "gpt-4o" is not in the fixtures/g)).toHaveLength(1);
});

const page = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("the root leads a browser to the console, and tells a program what is here", async () => {
  const { fetch } = await createEmulator({ basePath: ["/api"] });
  const led = await fetch("http://a.test/", { headers: page, redirect: "manual" });
  expect([led.status, led.headers.get("location")]).toEqual([302, "./__backlot/"]);
  const index = await fetch("http://a.test/");
  expect(await index.json()).toEqual({
    name: "backlot",
    version: expect.stringMatching(/^\d/),
    chat: "/api/chat/completions",
    tables: "/api/rest/{table}",
    console: "/__backlot/",
    openapi: "/__backlot/openapi.json",
  });
  const head = await fetch("http://a.test/", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await fetch("http://a.test/", { method: "POST" })).status).toBe(401);
});

test.each([
  [{ chat: "openai" }, { error: { code: "unknown_url" } }],
  [{ tables: "starbasedb" }, { error: "Unauthorized request" }],
] as const)("the root of %j answers as the real service does", async (profiles, body) => {
  const { fetch } = await createEmulator({ profiles });
  const headers = { ...page, authorization: "Bearer sk-any" };
  const answer = await fetch("http://a.test/", { headers });
  expect([200, 302]).not.toContain(answer.status);
  expect(await answer.json()).toMatchObject(body);
});

test.each([
  ["0.0.0.0", "at http://192.0.2.1:80 or http://198.51.100.7:80, by any host name"],
  ["192.0.2.9", "at http://192.0.2.9:80, by any host name"],
])("a server on %s says by which addresses other machines reach it", (host, says) => {
  const told: string[] = [];
  const url = host === "0.0.0.0" ? "http://127.0.0.1:80" : `http://${host}:80`;
  const server = { url, host, port: 80, isLocal: false, close: () => Promise.resolve() };
  warnIfOpen(server, testIo(), (message) => told.push(message));
  expect(told).toEqual([expect.stringContaining(says)]);
  warnIfOpen({ ...server, isLocal: true }, testIo(), (message) => told.push(message));
  expect(told).toHaveLength(1);
});
