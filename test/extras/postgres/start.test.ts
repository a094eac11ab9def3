import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { ownSchema } from "../../support/postgres/server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type TestIo, testIo, written } from "../../fronts/cli/test-io.ts";
import { otherProgram, serverTest } from "./with-server.ts";

const notes = { notes: [{ id: 1, text: "first" }] };
const headers = { authorization: "Bearer local-token", "content-type": "application/json" };

interface Started {
  readonly io: TestIo;
  readonly url: string;
  readonly stop: () => Promise<number>;
}

/** Starts the command with tables in a schema; the address comes by the environment, where no list of processes shows it. */
async function start(tables: string, cwd: string, ...more: readonly string[]): Promise<Started> {
  const io = testIo({ cwd, env: { BACKLOT_TABLES: tables } });
  const code = run(["start", "db.json", "--port", "0", "--log", "json", ...more], io);
  const stop = (): Promise<number> => {
    io.stop();
    return code;
  };
  onTestFinished(async () => void (await stop()));
  const [, url = ""] = await written(io.out, /^{"event":"ready".*?"url":"([^"]+)"/);
  return { io, url, stop };
}

serverTest("start --tables keeps rows beyond its end, and says where they come from", async () => {
  const { path } = await temporaryFolder({ "db.json": notes });
  const tables = await ownSchema();
  const first = await start(tables, path);
  const body = JSON.stringify({ text: "second" });
  await fetch(`${first.url}/rest/notes`, { method: "POST", headers, body });
  expect(await first.stop()).toBe(0);
  expect(first.io.out()).toMatch(/"event":"tables","state":"made","message":"the fixtures' rows/);
  const second = await start(tables, path);
  const response = await fetch(`${second.url}/rest/notes/2`, { headers });
  expect(await response.json()).toEqual({ result: [{ id: 2, text: "second" }] });
  expect(second.io.out()).toMatch(/"event":"tables","state":"found"/);
  expect(second.io.out()).not.toContain("secret");
});

serverTest("--export-on-exit writes what is in the database then", async () => {
  const { path } = await temporaryFolder({ "db.json": notes });
  const tables = await ownSchema();
  const { stop } = await start(tables, path, "--export-on-exit", "after.json");
  const runThere = await otherProgram(tables);
  await runThere("insert into notes values (5, 'by hand')");
  expect(await stop()).toBe(0);
  const state = JSON.parse(await readFile(join(path, "after.json"), "utf8"));
  expect(state).toMatchObject({
    tables: { notes: { rows: [{ id: 1 }, { id: 5, text: "by hand" }] } },
  });
});

serverTest("--export-on-exit writes nothing where a table cannot be read", async () => {
  const { path } = await temporaryFolder({ "db.json": { notes: [{ id: 1, more: { a: 1 } }] } });
  const tables = await ownSchema();
  const { stop, io } = await start(tables, path, "--export-on-exit", "after.json");
  const runThere = await otherProgram(tables);
  await runThere(`update notes set more = '{"a":1e400}'`);
  expect(await stop()).toBe(1);
  expect(io.err()).toContain('a value cannot be read: table "notes", column "more"');
  await expect(readFile(join(path, "after.json"))).rejects.toThrow("ENOENT");
});

test("--tables takes the URL of a PostgreSQL database and nothing else", async () => {
  const io = testIo();
  expect(await run(["start", "--tables", "users"], io)).toBe(2);
  expect(io.err()).toContain("Give the URL of a PostgreSQL database");
});
