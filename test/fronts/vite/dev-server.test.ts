import { join } from "node:path";
import { expect, test } from "vitest";
import { createServer, preview } from "vite";
import { textChunks } from "../../support/read-stream.ts";
import { viteConfig, viteFolder, viteSite } from "../../support/vite-site.ts";

test.each([
  ["tables", "/rest/users", { result: [{ id: 1, name: "Ada" }] }],
  ["tables below /v1", "/v1/rest/users/1", { result: [{ id: 1, name: "Ada" }] }],
  ["a session", "/@one/rest/users?name=Grace", { result: [] }],
  ["chat", "/v1/models", expect.objectContaining({ object: "list" })],
  ["the control API", "/__backlot/health", { status: "ok" }],
])("answers %s on Vite's own port", async (_, path, answer) => {
  const { fetch } = await viteSite();
  const response = await fetch(path);
  expect(await response.json()).toEqual(answer);
});

test.each([
  ["the page", "/", "<title>Site</title>"],
  ["a path of the app", "/users/1", "<title>Site</title>"],
  ["a module", "/main.ts", "document.title"],
  ["Vite's client", "/@vite/client", "WebSocket"],
  ["a file by its place on the disk", "/@fs/rest/users", "<title>Site</title>"],
])("leaves %s to Vite", async (_, path, text) => {
  const { fetch } = await viteSite();
  const response = await fetch(path, { headers: { accept: "text/html" } });
  expect(await response.text()).toContain(text);
});

test("sends a stream as it comes, and stops it when its client goes", async () => {
  const chats = [{ name: "slow", reply: { chunks: ["first", { wait: 3_600_000 }, "second"] } }];
  const { fetch } = await viteSite({}, { files: { "fixtures/chats/slow.json": chats } });
  const leaving = new AbortController();
  const response = await fetch("/v1/chat/completions", {
    method: "POST",
    body: '{"model":"x","stream":true,"messages":[{"role":"user","content":"x"}]}',
    signal: leaving.signal,
  });
  const chunks = textChunks(response);
  let text = "";
  while (!text.includes("first")) text += (await chunks.next()).value;
  leaving.abort();
  const journal = async (): Promise<unknown> => (await fetch("/__backlot/requests")).json();
  await expect
    .poll(journal)
    .toMatchObject({ requests: [{ path: "/v1/chat/completions", aborted: true }] });
});

test("takes the settings of the emulator", async () => {
  const { fetch } = await viteSite({ auth: false, basePath: "/api" });
  const headers = { authorization: "" };
  expect((await fetch("/api/rest/users", { headers })).status).toBe(200);
  expect(await (await fetch("/rest/users", { headers })).text()).toContain("<title>Site");
});

test("answers beside a base of Vite's", async () => {
  const { fetch } = await viteSite({}, { config: { base: "/app/" } });
  expect((await fetch("/rest/users")).status).toBe(200);
  expect(await (await fetch("/app/@fs/rest/users")).text()).toContain("<title>Site</title>");
});

test("answers below a base of Vite's too, and leaves the app its pages there", async () => {
  const { fetch } = await viteSite({}, { config: { base: "/app/" } });
  expect(await (await fetch("/app/rest/users/1")).json()).toEqual({
    result: [{ id: 1, name: "Ada" }],
  });
  expect((await fetch("/app/@mine/rest/users?name=Ada")).status).toBe(200);
  expect((await fetch("/app/v1/models")).headers.get("content-type")).toContain("json");
  const stored = await fetch("/app/rest/users", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer local-token" },
    body: '{"name":"Grace"}',
  });
  expect(stored.status).toBe(201);
  const journal: unknown = await (await fetch("/app/__backlot/requests")).json();
  expect(journal).toMatchObject({ requests: [{ path: "/rest/users/1" }, {}, {}] });
  expect(await (await fetch("/app/users")).text()).toContain("<title>Site</title>");
});

test("answers its own paths where Vite's base is one of them", async () => {
  const { fetch } = await viteSite({}, { config: { base: "/rest/" } });
  expect((await fetch("/rest/users")).headers.get("content-type")).toContain("json");
});

test.each([
  ["fixtrues", 'Did you mean "fixtures"?'],
  ["nothing/here", "Check the path"],
])("names the whole path of fixtures that are missing: %s", async (fixtures, advice) => {
  const folder = await viteFolder();
  const why = `"${join(folder.path, fixtures)}": there is no such file or folder. ${advice}`;
  await expect(createServer(viteConfig(folder, { fixtures }))).rejects.toThrow(why);
});

test("answers in a preview of what was built", async () => {
  const folder = await viteFolder({ "dist/index.html": "<title>Built</title>" });
  const server = await preview({
    ...viteConfig(folder),
    preview: { port: 0, host: "127.0.0.1" },
  });
  const url = server.resolvedUrls?.local[0] ?? "";
  const headers = { authorization: "Bearer local-token" };
  expect((await fetch(`${url}rest/users`, { headers })).status).toBe(200);
  expect(await (await fetch(url)).text()).toContain("Built");
  await server.close();
});

test("answers nothing in mode off", async () => {
  const { fetch } = await viteSite({ mode: "off" });
  expect(await (await fetch("/rest/users")).text()).toContain("<title>Site");
});

test("does not start from broken fixtures, and says where they are broken", async () => {
  const folder = await viteFolder({ "fixtures/tables/users.json": '{\n  "rows": [,]\n}' });
  await expect(createServer(viteConfig(folder))).rejects.toThrow(
    "fixtures/tables/users.json:2:12: ",
  );
});

test.each([
  ["its own page", { origin: "URL" }, {}, 200],
  ["a page of this machine", { origin: "http://localhost:3000" }, {}, 200],
  ["a page of another site", { origin: "https://evil.example" }, {}, 403],
  ["an origin that the plugin allows", { origin: "https://app.example" }, {}, 200],
  ["an origin that Vite allows", { origin: "https://other.example" }, { cors: true }, 200],
] as const)("behind Vite's own rules %s gets its answer", async (_, asked, rules, status) => {
  const rule = { name: "rule", config: () => ({ server: rules }) };
  const { fetch, server } = await viteSite(
    { cors: { origins: ["https://app.example"] } },
    { plugins: [rule] },
  );
  const own = server.resolvedUrls?.local[0]?.replace(/\/$/, "") ?? "";
  const headers = { authorization: "Bearer local-token", origin: asked.origin.replace("URL", own) };
  expect((await fetch("/rest/users", { headers })).status).toBe(status);
});
