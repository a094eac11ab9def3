import { expect, test } from "vitest";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";
import { createEmulator } from "../../../src/index.ts";

const headers = { "content-type": "application/json" };

test.each([
  [
    "NULL in a key",
    "CREATE TABLE t (k PRIMARY KEY, b); INSERT INTO t VALUES (NULL, 1), (NULL, 2);",
  ],
  [
    "NULL in a part of a key",
    "CREATE TABLE t (a, b, PRIMARY KEY (a, b)); INSERT INTO t VALUES (NULL, 1);",
  ],
  [
    "NULL in a key that is the row id here",
    "CREATE TABLE t (k INT PRIMARY KEY, e); INSERT INTO t (e) VALUES (4), (5);",
  ],
  [
    "NULL in a key with a default",
    "CREATE TABLE t (k INT PRIMARY KEY DEFAULT 3, e); INSERT INTO t VALUES (NULL, 1);",
  ],
  [
    "a whole number that is no row id",
    "CREATE TABLE t (k INT PRIMARY KEY); INSERT INTO t VALUES (9223372036854775808), (1e300);",
  ],
  [
    "keys among rows that have none",
    "CREATE TABLE t (k INT PRIMARY KEY); INSERT INTO t VALUES (NULL), (5), (NULL), (9e15);",
  ],
])("the state of a dump with %s goes out and in again", async (_, text) => {
  const set = await readFixtureFiles([{ name: "tables/t.sql", path: "t.sql", text }]);
  const emulator = await createEmulator({ fixtures: set, auth: false });
  const rows = JSON.stringify(emulator.tables["t"]?.rows());
  const state = await (await emulator.fetch("/__backlot/state")).text();
  const put = await emulator.fetch("/__backlot/state", { method: "PUT", headers, body: state });
  expect([put.status, await put.text()]).toEqual([204, ""]);
  expect(await (await emulator.fetch("/__backlot/state")).text()).toBe(state);
  expect(JSON.stringify(emulator.tables["t"]?.rows())).toBe(rows);
  expect(JSON.parse(state)).toMatchObject({ state: { asStored: ["t"] } });
});

test("the state of a dump has defaults that only SQLite takes", async () => {
  const text = "CREATE TABLE t (k INTEGER PRIMARY KEY, n INT DEFAULT 'a');";
  const set = await readFixtureFiles([{ name: "tables/t.sql", path: "t.sql", text }]);
  const profiles = { tables: "starbasedb" } as const;
  const emulator = await createEmulator({ fixtures: set, auth: false, profiles });
  const state = await (await emulator.fetch("/__backlot/state")).text();
  const put = await emulator.fetch("/__backlot/state", { method: "PUT", headers, body: state });
  expect([put.status, await put.text()]).toEqual([204, ""]);
  expect(await (await emulator.fetch("/__backlot/state")).text()).toBe(state);
});

test("the state of a dump whose keys are all those of fixtures is judged as fixtures are", async () => {
  const text = "CREATE TABLE t (k INT PRIMARY KEY, e); INSERT INTO t VALUES (1, NULL);";
  const set = await readFixtureFiles([{ name: "tables/t.sql", path: "t.sql", text }]);
  const emulator = await createEmulator({ fixtures: set, auth: false });
  const state: unknown = await (await emulator.fetch("/__backlot/state")).json();
  expect(state).not.toHaveProperty("state.asStored");
});

test("the state of a dump has the row ids that no column has", async () => {
  const text =
    "CREATE TABLE t (a); INSERT INTO t (rowid, a) VALUES (0, 'x'), (-3, 'y'), (9007199254740993, 'z');";
  const set = await readFixtureFiles([{ name: "tables/t.sql", path: "t.sql", text }]);
  const profiles = { tables: "starbasedb" } as const;
  const emulator = await createEmulator({ fixtures: set, auth: false, profiles });
  const state = await (await emulator.fetch("/__backlot/state")).text();
  const other = await createEmulator({ fixtures: JSON.parse(state), auth: false });
  const find = async (id: string) => (await other.fetch(`/rest/t?rowid=${id}`)).json();
  expect(await find("-3")).toMatchObject({ result: [{ a: "y" }] });
  expect(await find("9007199254740993")).toMatchObject({ result: [{ a: "z" }] });
  expect(await (await other.fetch("/__backlot/state")).text()).toBe(state);
});
