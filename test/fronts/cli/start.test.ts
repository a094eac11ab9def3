import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Io } from "../../../src/fronts/cli/io.ts";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";
import { type TestIo, testIo, written } from "./test-io.ts";

interface Started {
  readonly io: TestIo;
  readonly url: string;
  readonly ready: Record<string, unknown>;
  /** Waits for a line of the JSON log that has this event. */
  readonly event: (name: string) => Promise<Record<string, unknown>>;
  /** Stops it and gives the exit code. */
  readonly stop: () => Promise<number>;
}

async function start(
  folder: TemporaryFolder,
  args: readonly string[],
  env: Io["env"] = {},
): Promise<Started> {
  const io = testIo({ cwd: folder.path, env });
  const exit = run([...args, "--port", "0", "--log", "json"], io);
  onTestFinished(() => io.stop());
  const event = async (name: string): Promise<Record<string, unknown>> => {
    const [line] = await written(io.out, new RegExp(`^\\{"event":"${name}".*\\}$`, "m"));
    return JSON.parse(line);
  };
  const ready = await event("ready");
  const stop = (): Promise<number> => {
    io.stop();
    return exit;
  };
  return { io, url: String(ready["url"]), ready, event, stop };
}

function bearer(key: string): RequestInit {
  return { headers: { authorization: `Bearer ${key}` } };
}

const notes = { notes: [{ id: 1, text: "first" }] };

test("serves until it is stopped and then exits 0", async () => {
  const folder = await temporaryFolder({ "db.json": notes });
  const { url, stop } = await start(folder, []);
  const response = await fetch(`${url}/rest/notes`, bearer("local-token"));
  expect(await response.json()).toEqual({ result: notes.notes });
  expect(await stop()).toBe(0);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("says in one line where it listens, with what, and what it loaded", async () => {
  const folder = await temporaryFolder({
    "db.json": { AUTHORIZATION_TOKEN: "t", tables: notes, models: [{ id: "m" }] },
  });
  const { io, url, ready } = await start(folder, ["start"]);
  expect(io.out().split("\n")).toHaveLength(2);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(ready).toMatchObject({
    chatUrl: `${url}/v1`,
    tablesUrl: `${url}/rest`,
    token: "t",
    fixtures: { from: "db.json", tables: 1, rows: 1, models: 1, scripts: 0 },
  });
});

test("logs each request, and no keys", async () => {
  const folder = await temporaryFolder({ "db.json": notes });
  const { io, url, event } = await start(folder, ["--token", "s3cret"]);
  await fetch(`${url}/rest/notes?id=1`, bearer("s3cret"));
  expect(await event("request")).toMatchObject({
    interface: "tables",
    method: "GET",
    path: "/rest/notes",
    query: "id=1",
    status: 200,
    aborted: false,
  });
  expect(io.out().split("\n").slice(1).join("\n")).not.toContain("s3cret");
});

test.each([
  ["the flag", ["--token", "flag"], { AUTHORIZATION_TOKEN: "environment" }, "flag"],
  ["the environment", [], { AUTHORIZATION_TOKEN: "environment" }, "environment"],
  ["the config", [], { AUTHORIZATION_TOKEN: "" }, "config"],
])("takes the token from %s", async (_, args, env, token) => {
  const folder = await temporaryFolder({
    "db.json": { AUTHORIZATION_TOKEN: "config", tables: notes },
  });
  const { url, ready } = await start(folder, args, env);
  expect(ready["token"]).toBe(token);
  expect((await fetch(`${url}/rest/notes`, bearer(token))).status).toBe(200);
  expect((await fetch(`${url}/rest/notes`, bearer("other"))).status).toBe(401);
});

test("answers without a key with --no-auth", async () => {
  const folder = await temporaryFolder({ "db.json": notes });
  const { url, ready } = await start(folder, ["--no-auth"]);
  expect((await fetch(`${url}/rest/notes`)).status).toBe(200);
  expect(ready).not.toHaveProperty("token");
});

test("serves at the mount points that are given", async () => {
  const folder = await temporaryFolder({ "db.json": notes });
  const { url, ready } = await start(folder, ["--base-path", "/api"]);
  expect(ready["tablesUrl"]).toBe(`${url}/api/rest`);
  expect((await fetch(`${url}/api/rest/notes`, bearer("local-token"))).status).toBe(200);
  expect((await fetch(`${url}/rest/notes`, bearer("local-token"))).status).toBe(404);
});

test.each([
  ["the fixtures' config", [], {}, "localhost"],
  ["the environment over it", [], { BACKLOT_HOST: "127.0.0.1" }, "127.0.0.1"],
  ["the command line over both", ["--host", "127.0.0.1"], { BACKLOT_HOST: "::2" }, "127.0.0.1"],
])("listens where it is told by %s", async (_, args, env, host) => {
  const folder = await temporaryFolder({
    "db.json": { host: "localhost", auth: false, tables: notes },
  });
  const { url } = await start(folder, args, env);
  expect(new URL(url).hostname).toBe(host);
  expect((await fetch(`${url}/rest/notes`)).status).toBe(200);
});

test("listens on the port of the fixtures' config", async () => {
  const folder = await temporaryFolder({ "db.json": { port: 1, host: "256.0.0.1" } });
  const io = testIo({ cwd: folder.path });
  expect(await run([], io)).toBe(1);
  expect(io.err()).toContain("Cannot listen on 256.0.0.1:1:");
});

test("never writes to the files that it serves", async () => {
  const folder = await temporaryFolder({ "db.json": notes });
  const { url, stop } = await start(folder, []);
  const init = { ...bearer("local-token"), method: "DELETE" };
  expect((await fetch(`${url}/rest/notes/1`, init)).status).toBe(200);
  await stop();
  expect(await readFile(join(folder.path, "db.json"), "utf8")).toBe(JSON.stringify(notes));
});

test("exits 1 and names the next port when the port is in use", async () => {
  const folder = await temporaryFolder({ "db.json": notes });
  const { url } = await start(folder, []);
  const port = Number(new URL(url).port);
  const io = testIo({ cwd: folder.path });
  expect(await run(["--port", String(port)], io)).toBe(1);
  expect(io.err()).toMatch(/^error: Cannot listen on 127\.0\.0\.1:\d+: the port is in use\. .*\n$/);
  expect(io.err()).toContain(`--port ${port + 1}`);
});

test("exits 1 for fixtures that are broken from the start, with --watch too", async () => {
  const folder = await temporaryFolder({ "db.json": '{ "notes": [' });
  const io = testIo({ cwd: folder.path });
  expect(await run(["--port", "0", "--watch"], io)).toBe(1);
  expect(io.err()).toMatch(/^db\.json:1:\d+: /m);
  expect(io.out()).toBe("");
});

test("behaves as the observed services do with --profile observed", async () => {
  const folder = await temporaryFolder({ "db.json": notes });
  const { url } = await start(folder, ["--profile", "observed"]);
  const chat = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], top_k: 1 }),
    headers: { authorization: "Bearer my-key", "content-type": "application/json" },
  });
  const tables = await fetch(`${url}/v1/rest/notes`, bearer("local-token"));
  expect(await chat.json()).toMatchObject({ error: { code: null, param: null } });
  expect(await tables.json()).toEqual({ error: "Unknown operation" });
  expect([chat.status, tables.status]).toEqual([400, 400]);
});

test("loads changed fixtures with --watch", async () => {
  const folder = await temporaryFolder({ "db.json": notes });
  const { url, event } = await start(folder, ["--watch"]);
  await folder.replace("db.json", { notes: [], users: [{ id: 7 }] });
  expect(await event("reload")).toMatchObject({
    recovered: false,
    gone: [],
    fixtures: { tables: 2, rows: 1 },
  });
  const response = await fetch(`${url}/rest/users`, bearer("local-token"));
  expect(await response.json()).toEqual({ result: [{ id: 7 }] });
});

test("reloads beside a backup of an editor, which it leaves out", async () => {
  const folder = await temporaryFolder({ "fixtures/tables/users.json": [{ id: 1 }] });
  const { io, event } = await start(folder, ["fixtures", "--watch"]);
  await folder.write("fixtures/tables/users.json~", "[{");
  await folder.replace("fixtures/tables/users.json", [{ id: 1 }, { id: 2 }]);
  expect(await event("reload")).toMatchObject({ recovered: false, fixtures: { rows: 2 } });
  expect(io.err()).toContain('"users.json~" is left out');
});

function withExpression(regex: string): object {
  return { chats: [{ name: "slow", when: { user: { regex } }, reply: { content: "a" } }] };
}

test("warns of expressions that can take very long, at the start and with each change", async () => {
  const folder = await temporaryFolder({ "db.json": withExpression("^(a+)+$") });
  const { io, event } = await start(folder, ["--watch"]);
  expect(
    await written(
      io.err,
      /^warning: db\.json:\d+:\d+: .*"\^\(a\+\)\+\$", which can take very long/m,
    ),
  ).toHaveLength(1);
  await folder.replace("db.json", withExpression("^(b*)*$"));
  await event("reload");
  expect(
    await written(
      io.err,
      /^warning: db\.json:\d+:\d+: .*"\^\(b\*\)\*\$", which can take very long/m,
    ),
  ).toHaveLength(1);
});

test("says with --watch what the changed fixtures have no more", async () => {
  const script = { name: "hello", reply: { content: "Hi." } };
  const whole = {
    models: [{ id: "a" }, { id: "b" }],
    tables: { kept: [], cut: [] },
    chats: [script],
  };
  const folder = await temporaryFolder({ "db.json": whole });
  const { event } = await start(folder, ["--watch"]);
  await folder.replace("db.json", { models: [{ id: "b" }], tables: { kept: [] } });
  expect(await event("reload")).toMatchObject({
    gone: ['table "cut"', 'model "a"', 'script "hello"'],
  });
});

test("keeps serving what was loaded last while the fixtures are broken, and recovers", async () => {
  const folder = await temporaryFolder({ "fixtures/tables/notes.json": notes.notes });
  const { url, event } = await start(folder, ["--watch"]);
  await folder.write("fixtures/tables/notes.json", '{ "colums": {} }');
  const { problems } = await event("problems");
  expect(problems).toMatchObject([{ file: "fixtures/tables/notes.json", line: 1, column: 3 }]);
  const before = await fetch(`${url}/rest/notes`, bearer("local-token"));
  expect(await before.json()).toEqual({ result: notes.notes });
  await folder.write("fixtures/tables/notes.json", [{ id: 2 }]);
  expect(await event("reload")).toMatchObject({ recovered: true });
  const after = await fetch(`${url}/rest/notes`, bearer("local-token"));
  expect(await after.json()).toEqual({ result: [{ id: 2 }] });
});

async function controlled(url: string, path: string): Promise<unknown> {
  return (await fetch(`${url}/__backlot${path}`)).json();
}

test("keeps the journal over a mistake in the fixtures and its mending, and tells the console where it is", async () => {
  const folder = await temporaryFolder({ "fixtures/tables/notes.json": notes.notes });
  const { url, event } = await start(folder, ["--watch"]);
  await fetch(`${url}/rest/notes`, bearer("local-token"));
  await folder.write("fixtures/tables/notes.json", '{ "colums": {} }');
  await event("problems");
  const place = { file: "fixtures/tables/notes.json", line: 1, column: 3 };
  expect(await controlled(url, "/console.json")).toMatchObject({ fixtureProblem: place });
  await folder.write("fixtures/tables/notes.json", notes.notes);
  await event("reload");
  expect(await controlled(url, "/console.json")).toMatchObject({ fixtureProblem: null });
  expect(await controlled(url, "/requests")).toMatchObject({
    reloads: [{ after: "1" }],
    requests: [{ id: "1", path: "/rest/notes" }],
  });
});

const script = { when: { user: "hello" }, reply: { content: "Hi." } };

function postScript(url: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const sent = { method: "POST", headers, body: JSON.stringify(body) };
  return fetch(`${url}/__backlot/fixtures/chats`, sent);
}

test("writes a script into the watched folder, and serves it from there", async () => {
  const folder = await temporaryFolder({ "fixtures/tables/notes.json": notes.notes });
  const { url, event } = await start(folder, ["--watch"]);
  const answer = await postScript(url, { ...script, name: "Say hello / ../Zoë" });
  expect(answer.status).toBe(201);
  expect(await answer.json()).toEqual({ file: "fixtures/chats/say-hello-zoë.json" });
  const file = await readFile(join(folder.path, "fixtures/chats/say-hello-zoë.json"), "utf8");
  expect(file).toBe(`${JSON.stringify({ name: "Say hello / ../Zoë", ...script }, undefined, 2)}\n`);
  await event("reload");
  // On a busy machine the new folder is seen, and loaded, before its file.
  await expect
    .poll(async () => (await fetch(`${url}/__backlot/chats`)).json())
    .toMatchObject({ chats: [{ name: "Say hello / ../Zoë" }] });
});

test("writes no script that is wrong or has a name that is taken, and over no file", async () => {
  const folder = await temporaryFolder({
    "fixtures/chats/all.json": [{ ...script, name: "one" }],
    "fixtures/chats/two.json": [],
  });
  const { url } = await start(folder, ["--watch"]);
  for (const [body, reason] of [
    [{ ...script, name: "one" }, "its name is taken"],
    [{ ...script, name: "Two" }, '"fixtures/chats/two.json": there is such a file.'],
    [{ ...script, repl: {} }, 'Did you mean \\"reply\\"?'],
  ] as const) {
    const refused = await postScript(url, body);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(reason.replaceAll(/(?<!\\)"/g, String.raw`\"`));
  }
  expect(await readFile(join(folder.path, "fixtures/chats/two.json"), "utf8")).toMatch(/^\[\]\s*$/);
});

test("records the journal into the watched folder, in place of what was recorded before", async () => {
  const folder = await temporaryFolder({ "fixtures/tables/notes.json": notes.notes });
  const { url, event } = await start(folder, ["--watch"]);
  const record = () => fetch(`${url}/__backlot/fixtures/cassettes`, { method: "POST" });
  const nothing = await record();
  expect(nothing.status).toBe(400);
  expect(await nothing.text()).toContain("it has no whole answers of chat or tables.");
  const file = "fixtures/cassettes/tables-notes.json";
  await folder.write(file, { interface: "tables", upstream: "", recordings: [] });
  await event("reload");
  await fetch(`${url}/rest/notes`, bearer("local-token"));
  const answer = await record();
  expect(answer.status).toBe(201);
  expect(await answer.json()).toEqual({ files: [file], remarks: [] });
  const path = join(folder.path, file);
  const { recordings } = JSON.parse(await readFile(path, "utf8")) as { recordings: object[] };
  expect(recordings).toHaveLength(1);
});

test.each([
  ["without --watch", { "fixtures/tables/notes.json": notes.notes }, []],
  ["of a single file", { "db.json": notes }, ["--watch"]],
  ["of its own", {}, ["--watch"]],
] as const)("writes no script and no cassette into fixtures %s", async (_, files, args) => {
  const { url } = await start(await temporaryFolder(files), args);
  const refused = await postScript(url, script);
  expect(refused.status).toBe(409);
  const unrecorded = await fetch(`${url}/__backlot/fixtures/cassettes`, { method: "POST" });
  expect(await unrecorded.text()).toContain("Cannot record the journal: the server does not watch");
  expect(await refused.text()).toContain("not_watching");
});
