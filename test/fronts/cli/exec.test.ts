import { once } from "node:events";
import { chmod, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nameOf } from "../../../src/fronts/cli/command.ts";
import { execCommand } from "../../../src/fronts/cli/exec/exec.ts";
import type { Io } from "../../../src/fronts/cli/io.ts";
import { run } from "../../../src/fronts/cli/run.ts";
import { startOptions } from "../../../src/fronts/cli/flags.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type TestIo, testIo } from "./test-io.ts";

const node = process.execPath;
const notes = { notes: [{ id: 1, text: "first" }] };

/** A command that asks both interfaces, as its environment tells, and writes down what came. */
const ask = `
  import { writeFileSync } from "node:fs";
  const { OPENAI_BASE_URL, OPENAI_API_KEY, BACKLOT_URL, AUTHORIZATION_TOKEN, KEPT } = process.env;
  const rows = await fetch(BACKLOT_URL + "/rest/notes", {
    headers: { authorization: "Bearer " + AUTHORIZATION_TOKEN },
  });
  const chat = await fetch(OPENAI_BASE_URL + "/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer " + OPENAI_API_KEY, "content-type": "application/json" },
    body: JSON.stringify({ model: "any", messages: [{ role: "user", content: "Hi" }] }),
  });
  writeFileSync("asked.json", JSON.stringify({
    status: [rows.status, chat.status], rows: (await rows.json()).result,
    chatPath: new URL(OPENAI_BASE_URL).pathname, host: new URL(BACKLOT_URL).hostname,
    url: BACKLOT_URL, key: OPENAI_API_KEY, token: AUTHORIZATION_TOKEN, kept: KEPT,
  }));
`;

interface Ran {
  readonly code: number;
  readonly io: TestIo;
  /** What the command wrote down. */
  readonly asked: Record<string, unknown>;
}

async function askWith(
  own: readonly string[],
  files: Readonly<Record<string, unknown>>,
  env: Io["env"] = {},
): Promise<Ran> {
  const { path: cwd } = await temporaryFolder({ ...files, "ask.mjs": ask });
  const io = testIo({ cwd, env });
  const code = await run(["exec", ...own, "--", node, "ask.mjs"], io);
  const asked = await readFile(join(cwd, "asked.json"), "utf8").catch(() => "{}");
  return { code, io, asked: JSON.parse(asked) };
}

test("the command finds the server by its environment, the rest of which is kept", async () => {
  const env = { KEPT: "yes", OPENAI_API_KEY: "a real one" };
  const { code, io, asked } = await askWith([], { "db.json": notes }, env);
  expect(asked).toMatchObject({
    status: [200, 200],
    rows: notes.notes,
    chatPath: "/v1",
    host: "127.0.0.1",
    key: "local-key",
    token: "local-token",
    kept: "yes",
  });
  expect([code, io.out(), io.err()]).toEqual([0, "", ""]);
  await expect(fetch(String(asked["url"]))).rejects.toThrow("fetch failed");
});

test.each([
  ["options", ["--token", "t", "--api-key", "k", "l"], {}, { key: "k", token: "t" }],
  ["the environment", [], { AUTHORIZATION_TOKEN: "e" }, { key: "config-key", token: "e" }],
  ["the config", [], {}, { key: "config-key", token: "config-token" }],
  ["nobody", ["--no-auth"], {}, { key: "local-key", token: "local-token" }],
])("keys that are told by %s are the ones that the command gets", async (_, args, env, keys) => {
  const config = { AUTHORIZATION_TOKEN: "config-token", apiKeys: ["config-key"], tables: notes };
  const { asked } = await askWith(args, { "db.json": config }, env);
  expect(asked).toMatchObject({ status: [200, 200], ...keys });
});

test("has a Backlot that the command runs write to no file of its own", async () => {
  const { path: cwd } = await temporaryFolder({ "db.json": notes });
  const env = { ...process.env, BACKLOT_EXPORT_ON_EXIT: "after.json", BACKLOT_MAX_SESSIONS: "5" };
  const script = `
    const { BACKLOT_EXPORT_ON_EXIT = "nothing", BACKLOT_MAX_SESSIONS } = process.env;
    require("node:fs").writeFileSync("told", BACKLOT_EXPORT_ON_EXIT + " " + BACKLOT_MAX_SESSIONS);
  `;
  expect(await run(["exec", "--", node, "-e", script], testIo({ cwd, env }))).toBe(0);
  expect(await readFile(join(cwd, "told"), "utf8")).toBe("nothing 5");
  expect(JSON.parse(await readFile(join(cwd, "after.json"), "utf8"))).toHaveProperty("tables");
});

test("tells the mount point of chat", async () => {
  const { asked } = await askWith(["--base-path", "/api", "/"], { "db.json": notes });
  expect(asked).toMatchObject({ status: [200, 200], chatPath: "/api" });
});

test("serves the fixtures that are named, and reads options before --", async () => {
  const other = { notes: [{ id: 2, text: "other" }] };
  const files = { "db.json": notes, "other.json": other };
  const { asked } = await askWith(["other.json", "--seed", "1"], files);
  expect(asked["rows"]).toEqual(other.notes);
});

test("listens on a free port of this machine only, whatever start is told", async () => {
  const config = { port: 1, host: "256.0.0.1", tables: notes };
  const env = { BACKLOT_PORT: "1", BACKLOT_HOST: "256.0.0.1" };
  const { code, asked } = await askWith([], { "db.json": config }, env);
  expect(code).toBe(0);
  expect(asked["host"]).toBe("127.0.0.1");
});

test("logs to stderr where that is asked for", async () => {
  const { io } = await askWith(["--log", "json"], { "db.json": notes });
  const events = io.err().trimEnd().split("\n");
  expect(events.map((line) => JSON.parse(line).event)).toEqual(["ready", "request", "request"]);
  expect(io.out()).toBe("");
});

test.each([
  ["process.exit(0)", 0],
  ["process.exit(3)", 3],
  ["process.exit(255)", 255],
  ['process.kill(process.pid, "SIGKILL")', 137],
  ['process.kill(process.pid, "SIGTERM")', 143],
])("%s gives the exit code %i", async (script, code) => {
  const { path: cwd } = await temporaryFolder({ "db.json": {} });
  const io = testIo({ cwd });
  expect(await run(["exec", "--", node, "-e", script], io)).toBe(code);
  expect(io.err()).toBe("");
});

test("leaves the command's own words alone, a second -- and an empty one too", async () => {
  const { path: cwd } = await temporaryFolder({ "db.json": {} });
  const script = 'require("node:fs").writeFileSync("words", JSON.stringify(process.argv.slice(1)))';
  const words = ["--port", "x", "--help", "-v", "$HOME *", "", "--", "check"];
  const args = ["exec", "--", node, "-e", script, "--", ...words];
  expect(await run(args, testIo({ cwd }))).toBe(0);
  expect(JSON.parse(await readFile(join(cwd, "words"), "utf8"))).toEqual(words);
});

test.each([
  ["no-such-command", 127, "there is no such command on the PATH"],
  ["no-such-command", 127, "-- npx no-such-command."],
  ["npx vitest run", 127, "Separate its words"],
  ["./missing", 127, "there is no such file"],
  ["./db.json", 126, "Make it executable"],
  ["./db.json/x", 126, "a part of its path is a file"],
  ["./", 126, "it is a folder. Name a program in it."],
  ["./no-interpreter", 126, "its first line"],
])("%s cannot run: exit code %i, in one line: %s", async (name, code, message) => {
  const files = { "db.json": {}, "no-interpreter": "#!/no/such/program\n" };
  const { path: cwd } = await temporaryFolder(files);
  await chmod(join(cwd, "no-interpreter"), 0o755);
  const io = testIo({ cwd, env: { PATH: process.env["PATH"] } });
  expect(await run(["exec", "--", name], io)).toBe(code);
  expect(io.err()).toMatch(/^error: Cannot run "[^\n]+\n$/);
  expect(io.err()).toContain(message);
});

test.each([
  [["exec"], "the command to run is missing"],
  [["exec", "--"], "the command to run is missing"],
  [["exec", "--", ""], "the command to run is missing"],
  [["exec", "npx", "vitest", "run", "--reporter=dot"], "It comes after --"],
  [["exec", "a.json", "b.json", "--", "true"], "too many arguments for 'exec'"],
  [["exec", "--prot", "3", "--", "true"], "(Did you mean --port?)"],
  [["exec", "--watch", "--", "true"], "unknown option '--watch'"],
  [["exec", "--mode", "new", "--", "true"], "unknown option '--mode'"],
  [["exec", "--port", "abc", "--", "true"], "'abc' is invalid"],
])("%j is wrong usage: exit code 2 and how it is used", async (args, message) => {
  const io = testIo();
  expect(await run(args, io)).toBe(2);
  expect(io.err()).toContain(message);
  expect(io.err()).toContain("Usage: backlot exec [fixtures] [options] -- <command> [args...]");
});

test.each([
  ["BACKLOT_TABLES", "postgres://u:pw@127.0.0.1:1/app", "exec has no --tables"],
  ["BACKLOT_WATCH", "1", "exec has no --watch"],
  ["BACKLOT_RECORD", "http://127.0.0.1:1/v1", "exec has no --record."],
  ["BACKLOT_RECORD_TABLES", "http://127.0.0.1:1/rest", "exec has no --record-tables"],
])("refuses %s of the environment rather than ignore it", async (name, value, message) => {
  const io = testIo({ env: { [name]: value } });
  expect(await run(["exec", "--", "true"], io)).toBe(2);
  expect(io.err()).toContain(`environment variable ${name} is for backlot start; ${message}`);
});

test("takes from the environment what asks for nothing that it has not", async () => {
  const env = { BACKLOT_WATCH: "0", BACKLOT_TABLES: "", BACKLOT_HOST: "::1", BACKLOT_MODE: "new" };
  const { path: cwd } = await temporaryFolder();
  const io = testIo({ cwd, env: { PATH: process.env["PATH"], ...env } });
  expect(await run(["exec", "--", "true"], io)).toBe(0);
});

test.each([
  ["that are broken", { "db.json": { colums: [], seed: 1, chats: [] } }, [], "db.json:1:2"],
  ["that are not there", {}, ["nowhere"], 'Cannot read the fixtures "nowhere"'],
])("runs nothing over fixtures %s", async (_, files, own, message) => {
  const { code, io, asked } = await askWith(own, files);
  expect([code, asked]).toEqual([1, {}]);
  expect(io.err()).toContain(message);
});

test("runs nothing when the port that was given is in use", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { code, io, asked } = await askWith(["--port", String(port)], { "db.json": {} });
  expect([code, asked]).toEqual([1, {}]);
  expect(io.err()).toContain("the port is in use");
});

test("shows its help, with its own options only", async () => {
  const io = testIo();
  expect(await run(["exec", "--help"], io)).toBe(0);
  expect(io.out()).toContain("Usage: backlot exec [fixtures] [options] -- <command> [args...]");
  expect(io.out()).toMatch(/--port <n> +port \(default: a free one\)/);
  expect(io.out()).not.toMatch(/--watch|--host/);
});

test.each([
  ["the control token", ["--control-token", "let-me-in"], "let-me-in"],
  ["no control token where the server has none", [], "nothing"],
])("tells the command %s", async (_, flags, told) => {
  const { path: cwd } = await temporaryFolder({});
  const script = `
    const { BACKLOT_CONTROL_TOKEN = "nothing" } = process.env;
    require("node:fs").writeFileSync("told", BACKLOT_CONTROL_TOKEN);
  `;
  const io = testIo({ cwd, env: { ...process.env } });
  expect(await run(["exec", ...flags, "--", node, "-e", script], io)).toBe(0);
  expect(await readFile(join(cwd, "told"), "utf8")).toBe(told);
});

test("has the options of start but for those that its page names", async () => {
  const page = await readFile(new URL("../../../docs/ci.md", import.meta.url), "utf8");
  const [, named = ""] =
    /^`exec` takes the options of `backlot start`, except ([^.]*)\./m.exec(page) ?? [];
  const own = new Set(execCommand.options.map(nameOf));
  const missing = startOptions
    .map(nameOf)
    .filter((name) => !own.has(name))
    .map((name) => `--${name}`);
  expect(named.match(/--[a-z-]+/g)?.toSorted()).toEqual(missing.toSorted());
});

test.for([
  [{}, "127.0.0.1,localhost,::1"],
  [{ NO_PROXY: "corp.test, localhost" }, "corp.test,localhost,127.0.0.1,::1"],
  [{ no_proxy: "a.test", NO_PROXY: "b.test" }, "b.test,a.test,127.0.0.1,localhost,::1"],
] as const)("no proxy is asked for the server, beside the environment %o", async ([env, list]) => {
  const print = `require("fs").writeFileSync("asked.json",
    JSON.stringify([process.env.NO_PROXY, process.env.no_proxy]))`;
  const { path: cwd } = await temporaryFolder({ "db.json": notes });
  const io = testIo({ cwd, env });
  expect(await run(["exec", "--", node, "-e", print], io)).toBe(0);
  expect(JSON.parse(await readFile(join(cwd, "asked.json"), "utf8"))).toEqual([list, list]);
});
