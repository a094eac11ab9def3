import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type TestIo, testIo, written } from "./test-io.ts";

const dump =
  "CREATE TABLE notes (id INTEGER PRIMARY KEY, stars INT CHECK (date(stars) > 0));\n" +
  "CREATE VIEW v AS SELECT 1;\nINSERT INTO notes VALUES (1, 5);\n";

const warnings =
  'warning: app.sql:1:55: The CHECK constraint with the function date() of the table "notes" is not supported: it is left out.\n' +
  'warning: app.sql:2:1: The view "v" is left out: only tables are served.\n';

async function ioWithDump(env: Readonly<Record<string, string>> = {}): Promise<TestIo> {
  const folder = await temporaryFolder({ "app.sql": dump });
  return testIo({ cwd: folder.path, env });
}

test("check refuses what is not supported of a dump, by name and place", async () => {
  const io = await ioWithDump();
  expect(await run(["check", "app.sql"], io)).toBe(1);
  expect(io.err()).toMatch(
    /^app\.sql:1:55: The CHECK constraint with the function date\(\) .* use --skip-unsupported/m,
  );
  expect(io.out()).toBe("");
});

test.each([
  ["the option", ["check", "app.sql", "--skip-unsupported"], {}],
  ["the environment", ["check", "app.sql"], { BACKLOT_SKIP_UNSUPPORTED: "1" }],
])("check warns of what it leaves out, told so by %s", async (_, args, env) => {
  const io = await ioWithDump(env);
  expect(await run(args, io)).toBe(0);
  expect(io.err()).toBe(warnings);
  expect(io.out()).toBe("ok  app.sql: 1 table (1 row)\n");
});

test("start serves a dump, and warns of what it leaves out", async () => {
  const io = await ioWithDump();
  const exit = run("start app.sql --skip-unsupported --port 0 --log json".split(" "), io);
  onTestFinished(() => io.stop());
  const [, url] = await written(io.out, /"url":"([^"]+)"/);
  const response = await fetch(`${url}/rest/notes/1`, {
    headers: { authorization: "Bearer local-token" },
  });
  expect(await response.json()).toEqual({ result: [{ id: 1, stars: 5 }] });
  expect(io.err()).toBe(warnings);
  io.stop();
  expect(await exit).toBe(0);
});

test("start loads a dump anew when it changes", async () => {
  const folder = await temporaryFolder({ "app.sql": "CREATE TABLE a (x);" });
  const io = testIo({ cwd: folder.path });
  const exit = run("start app.sql --watch --port 0 --log json".split(" "), io);
  onTestFinished(() => io.stop());
  await written(io.out, /"event":"ready"/);
  await folder.write("app.sql", "CREATE TABLE a (x); INSERT INTO a VALUES (1), (2);");
  await written(io.out, /"event":"reload".*"rows":2/);
  io.stop();
  expect(await exit).toBe(0);
});
