import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";
import { createEmulator, type EmulatorSettings } from "../../../src/index.ts";
import { startServer } from "../../../src/fronts/node/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [{ name: "greeting", reply: { content: "Hi there." } }],
};

async function served(settings: EmulatorSettings = {}) {
  const emulator = await createEmulator({ fixtures, ...settings });
  const { url, close } = await startServer(emulator, { port: 0 });
  onTestFinished(close);
  return { emulator, url };
}

/** A server that is no Backlot. */
async function servedBy(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

test("writes the state to a file, which the server takes in again", async () => {
  const { emulator, url } = await served();
  const folder = await temporaryFolder();
  emulator.tables.users.insert({ name: "Grace" });
  const io = testIo({ cwd: folder.path });
  expect(await run(["export", "--url", url, "--out", "state.json"], io)).toBe(0);
  expect(io.err()).toBe("wrote the state to state.json\n");
  const text = await readFile(join(folder.path, "state.json"), "utf8");
  expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
  emulator.reset();
  const headers = { "content-type": "application/json" };
  await fetch(`${url}/__backlot/state`, { method: "PUT", headers, body: text });
  expect(emulator.tables.users.rows()).toMatchObject([{ name: "Ada" }, { name: "Grace" }]);
});

test.each([[[]], [["--out", "-"]]])(
  "writes to stdout alone with the arguments %j",
  async (file) => {
    const { url } = await served();
    const io = testIo();
    expect(await run(["export", "--url", `${url}/`, ...file], io)).toBe(0);
    expect(JSON.parse(io.out())).toMatchObject({ chats: [{ name: "greeting" }] });
    expect(io.err()).toBe("");
  },
);

test("writes a session's state, whatever its name", async () => {
  const { emulator, url } = await served();
  emulator.session("täst / 7").tables.users.insert({ name: "Grace" });
  const io = testIo();
  expect(await run(["export", "--url", url, "--session", "täst / 7"], io)).toBe(0);
  expect(io.out()).toContain('"Grace"');
});

test("finds the server and its control token in the environment", async () => {
  const { url } = await served({ controlToken: "s3cret" });
  const io = testIo({ env: { BACKLOT_URL: url, BACKLOT_CONTROL_TOKEN: "s3cret" } });
  expect(await run(["export"], io)).toBe(0);
  expect(io.out()).toContain('"Ada"');
  expect(io.out()).not.toContain("s3cret");
});

test.each([
  [[], "Give the server's token: --control-token <t>."],
  [["--control-token", "wr0ng"], "Set --control-token to the server's own."],
])("tells what to do when the server refuses %j", async (args, advice) => {
  const { url } = await served({ controlToken: "s3cret" });
  const io = testIo();
  expect(await run(["export", "--url", url, ...args], io)).toBe(1);
  expect(io.err()).toBe(`error: Cannot export the state: the server refuses it (403). ${advice}\n`);
  expect(io.out()).toBe("");
});

test("tells what to do when no server is there", async () => {
  const io = testIo();
  expect(await run(["export", "--url", "http://127.0.0.1:1"], io)).toBe(1);
  expect(io.err()).toMatch(
    /^error: Cannot export the state: nothing answers at http:\/\/127\.0\.0\.1:1.*backlot start.*\n$/,
  );
});

test.each([
  [404, "Not found"],
  [403, "Forbidden"],
  [200, "<html>"],
  [200, '{"ok":true}'],
  [302, ""],
])("knows that one who answers %i %j is no Backlot", async (status, text) => {
  const url = await servedBy((_, response) => {
    response.writeHead(status, status === 302 ? { location: "/" } : {}).end(text);
  });
  const io = testIo();
  expect(await run(["export", "--url", url], io)).toBe(1);
  expect(io.err()).toMatch(/^error: .* is not Backlot\. Name the server with --url\.\n$/);
});

test("leaves a file as it was when the server does not answer, and nothing beside it", async () => {
  const url = await servedBy((_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write('{"tables":', () => response.destroy());
  });
  const folder = await temporaryFolder({ "state.json": "mine" });
  const io = testIo({ cwd: folder.path });
  expect(await run(["export", "--url", url, "--out", "state.json"], io)).toBe(1);
  expect(await readFile(join(folder.path, "state.json"), "utf8")).toBe("mine");
  expect(await readdir(folder.path)).toEqual(["state.json"]);
});

test("refuses a file that cannot be written", async () => {
  const { url } = await served();
  const folder = await temporaryFolder();
  const io = testIo({ cwd: folder.path });
  expect(await run(["export", "--url", url, "--out", "missing/state.json"], io)).toBe(1);
  expect(io.err()).toContain('Cannot write "missing/state.json": there is no such folder.');
});

test.each([
  [["--url", "127.0.0.1:4010"], "such as http://127.0.0.1:4010"],
  [["--url", "http://x/?a=1"], "such as http://127.0.0.1:4010"],
  [["--session", ""], "1 to 200 characters"],
  [["--control-token", "two words"], "without spaces"],
  [["a.json", "b.json"], "too many arguments for 'export'"],
  [["--file", "a.json"], "unknown option '--file'"],
  [["a.json", "--url", "http://x"], "To write the server's state to a file: --out a.json"],
  [["a.json", "--session", "s"], "'a.json' and a server cannot both be exported."],
])("%j is wrong usage", async (args, wrong) => {
  const io = testIo();
  expect(await run(["export", ...args], io)).toBe(2);
  expect(io.err()).toContain(wrong);
});

test("never shows a wrong token of the environment", async () => {
  const io = testIo({ env: { BACKLOT_CONTROL_TOKEN: "two words" } });
  expect(await run(["export"], io)).toBe(2);
  expect(io.err()).toContain("environment variable BACKLOT_CONTROL_TOKEN");
  expect(io.err()).not.toContain("two words");
});

test("tells what a document cannot say as the state's fault, not the server's", async () => {
  const text = "CREATE TABLE t (id INTEGER PRIMARY KEY, a DEFAULT x'00');";
  const read = await readFixtureFiles([{ name: "tables/t.sql", path: "t.sql", text }]);
  const { url, close } = await startServer(await createEmulator({ fixtures: read }), { port: 0 });
  onTestFinished(close);
  const io = testIo();
  expect(await run(["export", "--url", url], io)).toBe(1);
  expect(io.err()).toMatch(
    /^error: Cannot export the state: the table "t" has a default that is a blob, /,
  );
});

test.each(["fixtures/state.json", "fixtures/tables/state.json"])(
  "refuses to write %s into the folder of fixtures that is here",
  async (file) => {
    const { url } = await served();
    const folder = await temporaryFolder({ "fixtures/tables/notes.json": [{ id: 1 }] });
    const io = testIo({ cwd: folder.path });
    expect(await run(["export", "--url", url, "--out", file], io)).toBe(1);
    expect(io.err()).toContain("it would be read as part of the fixtures in fixtures");
    expect(await readdir(join(folder.path, "fixtures"))).toEqual(["tables"]);
  },
);
