import initSqlJs from "sql.js";
import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";

// Database files as web frameworks make them, served by the profile `document`.

const { Database: Sqlite } = await initSqlJs();

function fileOf(sql: string): { path: string; name: string; text: string; bytes: Uint8Array } {
  const sqlite = new Sqlite();
  sqlite.run(sql);
  return { path: "app.db", name: "app.db", text: "", bytes: sqlite.export() };
}

const now = "2024-05-06T07:08:09.120Z";

async function serve(sql: string, skipUnsupported = false): Promise<Emulator> {
  const fixtures = await readFixtureFiles([fileOf(sql)], { layout: "document", skipUnsupported });
  return createEmulator({ fixtures, auth: false, clock: now });
}

async function rowsOf({ fetch }: Emulator, query: string): Promise<unknown> {
  const reply: unknown = await (await fetch(`http://app.test/rest/${query}`)).json();
  return reply;
}

test("reads JSON columns once, and finds and sorts them by their text", async () => {
  const emulator = await serve(`CREATE TABLE t (id INTEGER PRIMARY KEY, data JSON);
    INSERT INTO t VALUES (1, '{"b": [1, 2]}'), (2, '["x"]'), (3, '"text"'), (4, 'no json'), (5, 5), (6, NULL);`);
  expect(await rowsOf(emulator, "t?sort_by=id")).toEqual({
    result: [
      { id: 1, data: { b: [1, 2] } },
      { id: 2, data: ["x"] },
      { id: 3, data: "text" },
      { id: 4, data: "no json" },
      { id: 5, data: 5 },
      { id: 6, data: null },
    ],
  });
  expect(await rowsOf(emulator, `t?data=${encodeURIComponent('["x"]')}`)).toMatchObject({
    result: [{ id: 2 }],
  });
});

test.each([
  ["boolean DEFAULT 'f'", false],
  ["boolean DEFAULT 't'", true],
  ["bool DEFAULT 1", 1],
  ["tinyint(1) DEFAULT '0'", 0],
  ["BOOLEAN DEFAULT TRUE", 1],
  [`JSON DEFAULT '{"a": [1]}'`, { a: [1] }],
  ["datetime DEFAULT CURRENT_TIMESTAMP", "2024-05-06 07:08:09"],
  ["datetime DEFAULT (datetime('now', 'localtime'))", "2024-05-06 07:08:09"],
  ["datetime DEFAULT (now())", "2024-05-06 07:08:09"],
  ["date DEFAULT ((date('now')))", "2024-05-06"],
  ["TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))", now],
  ["INTEGER DEFAULT (unixepoch())", 1_714_979_289],
  ["INTEGER DEFAULT (strftime('%s', 'now'))", 1_714_979_289],
  ["INTEGER DEFAULT (CAST(strftime('%s', 'now') AS INTEGER) * 1000)", 1_714_979_289_000],
])("keeps the default of a column %s", async (column, value) => {
  const emulator = await serve(`CREATE TABLE t (id INTEGER PRIMARY KEY, a ${column}, b);`);
  const { insert } = emulator.tables["t"] ?? {};
  const row = insert?.({ b: "x" });
  expect(row).toMatchObject({ a: value });
});

test("says of a default that it does not fit its column", async () => {
  const { warnings } = await readFixtureFiles([fileOf("CREATE TABLE t (a INTEGER DEFAULT 'x');")], {
    layout: "document",
  });
  expect(warnings.map(({ message }) => message)).toEqual([
    'The default of the column "a", \'x\', does not fit its type "INTEGER": rows that leave the column out get NULL.',
  ]);
});

test.each(["boolean", "bool", "tinyint(1)"])("takes %s for a boolean", async (type) => {
  const emulator = await serve(
    `CREATE TABLE t (id INTEGER PRIMARY KEY, on_ ${type}); INSERT INTO t VALUES (1, 1), (2, 0), (3, 't');`,
  );
  expect(await rowsOf(emulator, "t?on_=true")).toEqual({
    result: [
      { id: 1, on_: 1 },
      { id: 3, on_: true },
    ],
  });
  const body = JSON.stringify({ on_: true });
  const headers = { "content-type": "application/json" };
  const { status } = await emulator.fetch("http://app.test/rest/t", {
    method: "POST",
    headers,
    body,
  });
  expect(status).toBe(201);
});

const odd = `CREATE TABLE posts (id INTEGER PRIMARY KEY); CREATE TABLE words_vocab (id); PRAGMA writable_schema = 1;
  INSERT INTO sqlite_schema VALUES ('table', 'words', 'words', 0, 'CREATE VIRTUAL TABLE words USING spellfix1');`;

test("leaves out virtual tables of modules that are not here, with what belongs to them", async () => {
  await expect(serve(odd)).rejects.toThrow('The virtual table "words" is not supported.');
  const emulator = await serve(odd, true);
  expect(Object.keys(emulator.tables)).toEqual(["posts"]);
});

test("takes an empty file for an empty database", async () => {
  const file = { path: "app.db", name: "app.db", text: "", bytes: new Uint8Array() };
  const { tables, warnings } = await readFixtureFiles([file], { layout: "document" });
  expect([tables, warnings]).toEqual([[], []]);
});
