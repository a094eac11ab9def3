import initSqlJs from "sql.js";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";

// The state of a database, exported as one fixture document and read back, is the same database.

const { Database: Sqlite } = await initSqlJs();

const schemas: readonly (readonly [what: string, sql: string])[] = [
  [
    "AUTOINCREMENT, and times as defaults",
    `CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, at DATETIME DEFAULT CURRENT_TIMESTAMP, day DATE DEFAULT (date('now')),
      n INTEGER DEFAULT (unixepoch()), iso TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')));
     INSERT INTO t (id) VALUES (1), (5); DELETE FROM t WHERE id = 5;`,
  ],
  [
    "columns that are unique together, and foreign keys of several columns",
    `CREATE TABLE a (x INTEGER, y TEXT COLLATE NOCASE, z TEXT, PRIMARY KEY (x, y), UNIQUE (y, z)); INSERT INTO a VALUES (1, 'p', 'q');
     CREATE TABLE b (id INTEGER PRIMARY KEY, x INTEGER, y TEXT, FOREIGN KEY (x, y) REFERENCES a (x, y) ON DELETE SET NULL ON UPDATE CASCADE);
     INSERT INTO b VALUES (1, 1, 'p');`,
  ],
  [
    "no row ids, RTRIM, an id that is no key, and conditions",
    `CREATE TABLE k (key TEXT PRIMARY KEY COLLATE RTRIM, v) WITHOUT ROWID; INSERT INTO k VALUES ('a', 1);
     CREATE TABLE n (id INTEGER, v TEXT CHECK (v <> ''), CONSTRAINT odd CHECK (id % 2 = 1)); INSERT INTO n VALUES (1, 'x'), (1, 'y');`,
  ],
];

const base = "http://127.0.0.1";

test.each(schemas)("has %s", async (_, sql) => {
  const sqlite = new Sqlite();
  sqlite.run(sql);
  const file = { path: "app.db", name: "app.db", text: "", bytes: sqlite.export() };
  const fixtures = await readFixtureFiles([file], { layout: "document" });
  const emulator = await createEmulator({ fixtures, auth: false, clock: "2024-01-02T03:04:05Z" });
  const exported = await emulator.fetch(`${base}/__backlot/state`);
  expect(exported.status).toBe(200);
  const document: unknown = await exported.json();
  const again = await createEmulator({
    fixtures: JSON.parse(JSON.stringify(document)),
    auth: false,
    clock: "2024-01-02T03:04:05Z",
  });
  expect(await (await again.fetch(`${base}/__backlot/state`)).json()).toEqual(document);
  for (const name of Object.keys(emulator.tables)) {
    const [before, after] = [emulator, again].map(({ tables }) => {
      const table = tables[name];
      return [table?.rows(), attempt(() => table?.insert({}))];
    });
    expect(after).toEqual(before);
  }
});

function attempt(insert: () => unknown): unknown {
  try {
    return insert();
  } catch (error) {
    return String(error);
  }
}
