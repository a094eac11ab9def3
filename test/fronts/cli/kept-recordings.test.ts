import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { answering, startService } from "../node/recording-proxy.ts";
import { type TestIo, testIo, written } from "./test-io.ts";

const answer = { status: 200, headers: {}, afterMs: 0, body: { json: { result: [] } } };

function cassette(recordedAt: string, ...paths: readonly string[]): object {
  const recordings = paths.map((path) => ({ request: { method: "GET", path }, answer }));
  return { interface: "tables", upstream: "", recordedAt, recordings };
}

/** The clock of these commands stands at the first of January 2024. */
const old = "2023-11-01T00:00:00Z";
const young = "2023-12-31T00:00:00Z";

const files = (config: object = {}) => ({
  "fixtures/config.json": config,
  "fixtures/cassettes/tables-orders.json": cassette(old, "/orders", "/orders/7"),
  "fixtures/cassettes/tables-users.json": cassette(young, "/users"),
});

interface Ran {
  readonly code: number;
  readonly io: TestIo;
  /** The messages of `--log json`. */
  readonly told: readonly string[];
}

/** Runs a command, asks its server for some paths of tables, and ends it. */
async function asking(
  paths: readonly string[],
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: TestIo["env"] },
): Promise<Ran> {
  const io = testIo({ cwd, env });
  const exit = run([...args, "--port", "0", "--log", "json"], io);
  onTestFinished(() => io.stop());
  const [line] = await written(io.out, /^\{"event":"ready".*\}$/m);
  const { url } = JSON.parse(line) as { url: string };
  for (const path of paths) await (await fetch(`${url}${path}`)).text();
  io.stop();
  const code = await exit;
  const lines = io.out().trim().split("\n");
  const messages = lines.map((text) => (JSON.parse(text) as { message?: string }).message ?? "");
  return { code, io, told: messages.filter((message) => message !== "") };
}

const unused = "1 recording was not used:\n  tables-orders 2: GET /orders/7\nDelete it, or record";

test("a run says at its end which recordings no request has used, in whatever session", async () => {
  const { path: cwd } = await temporaryFolder(files());
  const paths = ["/rest/orders", "/@test-1/rest/users"];
  const { code, told } = await asking(paths, ["start"], { cwd });
  expect([code, told]).toEqual([0, [expect.stringContaining(unused)]]);
  const all = await asking([...paths, "/rest/orders/7"], ["start"], { cwd });
  expect(all.told).toEqual([]);
});

test("unused recordings fail a run, or are ignored, by option and by config", async () => {
  const { path: cwd } = await temporaryFolder(files({ recording: { unusedRecordings: "fail" } }));
  const paths = ["/rest/orders", "/rest/users"];
  const { code, io } = await asking(paths, ["start"], { cwd });
  expect(code).toBe(1);
  expect(io.err()).toContain(unused);
  const ignored = await asking(paths, ["start", "--unused-recordings", "ignore"], { cwd });
  expect([ignored.code, ignored.told, ignored.io.err()]).toEqual([0, [], ""]);
  const child = testIo({ cwd });
  expect(await run(["exec", "--", process.execPath, "-e", ""], child)).toBe(1);
  expect(child.err()).toContain("3 recordings were not used:");
});

test("a report of many unused recordings names twenty", async () => {
  const { path: cwd } = await temporaryFolder({
    "fixtures/cassettes/a.json": cassette(young, ...Array(25).fill("/users")),
  });
  const [message = ""] = (await asking([], ["start"], { cwd })).told;
  expect(message.split("\n")).toHaveLength(23);
  expect(message).toContain("  and 5 more\n");
});

test("an old cassette is recorded anew, and the others are replayed", async () => {
  const folder = await temporaryFolder(files());
  const service = await startService(answering({ "content-type": "application/json" }, "[1]"));
  const record = ["start", "--record-tables", service, "--expires-in", "30d"];
  const { told } = await asking(["/rest/orders", "/rest/users"], record, { cwd: folder.path });
  expect(told).toEqual(['1 cassette is older than 30d: "tables-orders". Recording anew.']);
  const cassettes = join(folder.path, "fixtures/cassettes");
  expect(await readdir(cassettes)).toEqual(["tables-orders.json", "tables-users.json"]);
  const made = JSON.parse(await readFile(join(cassettes, "tables-orders.json"), "utf8"));
  expect(made).toMatchObject({
    recordedAt: new Date(2024, 0, 1, 12, 34, 56).toISOString(),
    recordings: [{ answer: { body: { json: [1] } } }],
  });
  const users = JSON.parse(await readFile(join(cassettes, "tables-users.json"), "utf8"));
  expect(users).toEqual(cassette(young, "/users"));
});

test.each([
  ["a server that does not record", ["start"], {}],
  ["the mode none", ["start", "--record-tables", "http://127.0.0.1:1", "--mode", "none"], {}],
  ["continuous integration", ["start", "--record-tables", "http://127.0.0.1:1"], { CI: "1" }],
])("%s only warns of an old cassette", async (_, args, env) => {
  const config = { recording: { expiresIn: "30d", unusedRecordings: "ignore" } };
  const { path: cwd } = await temporaryFolder(files(config));
  const { code, told, io } = await asking(["/rest/orders"], args, { cwd, env });
  expect(code).toBe(0);
  expect(told).toContain(
    '1 cassette is older than 30d: "tables-orders". Record anew with backlot record.',
  );
  expect(io.out()).toContain('"answeredBy":"cassette \\"tables-orders\\" 1"');
});

test.each([
  [["start", "--expires-in", "soon"], "Give an age such as 30d, 12h or 90m."],
  [["start", "--unused-recordings", "fial"], 'Did you mean "fail"?'],
])("refuses %j", async (args, message) => {
  const io = testIo({ cwd: (await temporaryFolder({})).path });
  expect(await run(args, io)).toBe(2);
  expect(io.err()).toContain(message);
});
