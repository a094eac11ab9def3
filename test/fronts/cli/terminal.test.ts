import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { prettyLog } from "../../../src/fronts/cli/log.ts";
import { run } from "../../../src/fronts/cli/run.ts";
import { withSafeOutput } from "../../../src/fronts/cli/terminal.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type TestIo, testIo, written } from "./test-io.ts";

/** It sets the title, colours, clears, rings, turns around, and hides. */
const evil =
  "x\u001B]0;owned\u0007\u001B[31mred\u001B[39m\u009B2J\u007F\u202Eabc\u200B\u2066\u{E0041}";
const controls = /(?!\n)[\p{Cc}\u200B-\u200F\u202A-\u202E\u2060-\u2069]/u;

/** Expects that a text shows the foreign one, and has no other escape sequences than colours of Backlot's own. */
function expectSafe(text: string): void {
  // As it is, or within a text in quotes.
  expect(text.replaceAll("\\\\", "\\")).toContain(String.raw`x\u001b]0;owned`);
  expect(text).not.toContain("\u001B[31mred");
  expect(text.replaceAll(/\r?\p{Cc}\[(?:\d+m|K)/gu, "")).not.toMatch(controls);
}

function terminal(cwd?: string): TestIo {
  return testIo({ isTerminal: true, ...(cwd === undefined ? {} : { cwd }) });
}

/** What a command writes on a terminal, in a folder with these files. */
async function wroteIn(files: Record<string, unknown>, args: readonly string[]): Promise<string> {
  const { path } = await temporaryFolder(files);
  const io = terminal(path);
  await run(args, io);
  return io.out() + io.err();
}

const slow = { name: evil, when: { user: { regex: "^(a+)+$" } }, reply: { content: "x" } };

test.each([
  ["check, of a good set", { [`${evil}.json`]: { tables: { a: [] } } }, ["check", `${evil}.json`]],
  ["check, with a warning", { "db.json": { chats: [slow] } }, ["check", "db.json"]],
  ["check, of a wrong name", { "db.json": { tables: { a: { [evil]: 1 } } } }, ["check", "db.json"]],
  ["check, of what is missing", {}, ["check", evil]],
  ["a wrong option", {}, ["check", `--${evil}`]],
  ["a wrong command", {}, [evil]],
  ["generate", { "db.json": { tables: { a: [] } } }, ["generate", evil, "db.json", "-n", "2"]],
  ["import", { [`${evil}.json`]: { a: 1 } }, ["import", `${evil}.json`, "--out", "out"]],
  ["export", { "db.json": { tables: { a: [{ [evil]: evil }] } } }, ["export", "db.json"]],
])("nothing foreign controls the terminal: %s", async (_, files, args) => {
  expectSafe(await wroteIn(files, args));
});

test("nothing foreign controls the terminal: start, its warnings and its log", async () => {
  const { path } = await temporaryFolder({
    [`${evil}.json`]: { chats: [slow], tables: { [evil]: [] } },
  });
  const io = terminal(path);
  const running = run(["start", `${evil}.json`, "--port", "0", "--api-key", "k"], io);
  const [, url = ""] = await written(io.out, /base URL[^h]*(http:\/\/[\d.:]+)/);
  await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer k", "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "aa" }] }),
  });
  await written(io.out, /POST .*200/);
  io.stop();
  expect(await running).toBe(0);
  expectSafe(io.out());
  expectSafe(io.err());
});

test("nothing foreign controls the terminal: verify, of what a service says", async () => {
  const service = createServer((_, response) => {
    response.writeHead(418, { "content-type": "application/json" });
    response.end(JSON.stringify({ [evil]: evil, error: { message: evil } }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void service.close());
  await once(service, "listening");
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
  const { path } = await temporaryFolder({ "db.json": {} });
  const io = terminal(path);
  expect(await run(["verify", "db.json", "--against", url, "--rate", "1000"], io)).toBe(1);
  expect(io.out().replaceAll(/\p{Cc}\[\d+m/gu, "")).not.toMatch(controls);
});

test("nothing foreign controls the terminal: each line of the log, pretty and as JSON", () => {
  const io = terminal();
  const log = prettyLog(withSafeOutput(io));
  const counts = { tables: 1, rows: 0, scripts: 0, models: 0, cassettes: 0, collections: 0 };
  log.reloaded({ fixtures: evil, counts, recovered: false, gone: [evil] });
  log.refused(evil, new Error(evil));
  log.tables("lost", evil);
  log.warned(evil);
  log.failed(new Error(evil));
  for (const line of (io.out() + io.err()).split("\n").filter((one) => one.includes("owned"))) {
    expectSafe(line);
  }
});

test("colours of Backlot's own stay, and what looks like one from outside does not", () => {
  const io = terminal();
  const { stdout } = withSafeOutput(io);
  const { mark = "" } = stdout;
  stdout.write(`${mark}\u001B[32mok\u001B[31mno${mark}\u001B[39m`);
  expect(io.out()).toBe("\u001B[32mok\\u001b[31mno\u001B[39m");
});

test("data in a pipe keeps its bytes", async () => {
  const { path } = await temporaryFolder({});
  await writeFile(
    join(path, "db.json"),
    JSON.stringify({ tables: { a: [{ id: 1, text: evil }] } }),
  );
  const io = testIo({ cwd: path });
  expect(await run(["export", "db.json"], io)).toBe(0);
  expect(Object.values(JSON.parse(io.out()).tables)).toMatchObject([[{ id: 1, text: evil }]]);
  expect(io.out()).toContain("\u202E");
});
