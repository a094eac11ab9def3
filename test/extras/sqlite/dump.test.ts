import { expect, test } from "vitest";
import { CurrentTime } from "../../../src/core/store/schema.ts";
import { BlobValue, ExactInteger, WholeReal } from "../../../src/core/store/value.ts";
import type { FileTable } from "../../../src/core/fixture-set/tables/table-files.ts";
import { readDump } from "./sqlite-judge.ts";

/** The tables of a dump in which nothing is wrong. */
async function tablesOf(text: string): Promise<readonly FileTable[]> {
  const { tables, problems, warnings } = await readDump(text);
  expect([problems, warnings]).toEqual([[], []]);
  return tables;
}

/** The rows of a dump's only table, as arrays. */
async function rowsOf(text: string): Promise<readonly (readonly unknown[])[]> {
  return (await tablesOf(text)).flatMap(({ rows }) => rows.map((row) => Object.values(row)));
}

test("reads a table with all that its columns say", async () => {
  const [table] = await tablesOf(`CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    "full name" VARCHAR ( 20 ) NOT NULL DEFAULT 'x',
    email TEXT CONSTRAINT own UNIQUE COLLATE nocase,
    [untyped],
    boss INT REFERENCES users (ID)
  );`);
  const plain = { notNull: false, unique: false, collate: "BINARY" };
  expect(table?.schema).toEqual({
    name: "users",
    sql: expect.stringMatching(/^CREATE TABLE users \(\n/),
    columns: [
      { ...plain, name: "id", type: "INTEGER" },
      { ...plain, name: "full name", type: "VARCHAR ( 20 )", notNull: true, default: "x" },
      { ...plain, name: "email", type: "TEXT", unique: true, collate: "NOCASE" },
      { ...plain, name: "untyped", type: "" },
      { ...plain, name: "boss", type: "INT", references: { table: "users", column: "id" } },
    ],
    primaryKey: ["id"],
    autoIncrement: true,
  });
});

test("reads keys, indexes and foreign keys of several columns", async () => {
  const [, table] = await tablesOf(`
    CREATE TABLE places (country, city, PRIMARY KEY (country, city));
    CREATE TABLE people (a TEXT, b, c, PRIMARY KEY (b, a), UNIQUE (a, c COLLATE RTRIM),
      FOREIGN KEY (a, b) REFERENCES Places) WITHOUT ROWID;
    CREATE INDEX by_c ON people (c DESC, "a");`);
  const part = { collate: "BINARY", descending: false };
  expect(table?.schema).toMatchObject({
    primaryKey: ["b", "a"],
    withoutRowId: true,
    indexes: [
      {
        unique: true,
        columns: [
          { ...part, name: "a" },
          { ...part, name: "c", collate: "RTRIM" },
        ],
      },
      {
        unique: false,
        columns: [
          { ...part, name: "c", descending: true },
          { ...part, name: "a" },
        ],
      },
    ],
    foreignKeys: [{ columns: ["a", "b"], to: { table: "places", columns: ["country", "city"] } }],
  });
});

test("keeps storage classes apart that JavaScript does not know", async () => {
  const [row] = await rowsOf(
    "CREATE TABLE t (a, b, c, d, e); INSERT INTO t VALUES (5, 5.0, '5', x'0aFF', 9007199254740993);",
  );
  expect(row).toEqual([
    5,
    new WholeReal(5),
    "5",
    new BlobValue(new Uint8Array([0x0a, 0xff])),
    new ExactInteger(9007199254740993n),
  ]);
});

test.each([
  ["1e999", Infinity],
  ["-1e999", -Infinity],
  ["9.0e+999", Infinity],
  ["'it''s'", "it's"],
  ["unistr('a\\u000ab\\\\')", "a\nb\\"],
  ["unistr('\\+01F600\\0041\\U00000042')", "😀AB"],
  ["replace(replace('a\\nb\\rc','\\n',char(10)),'\\r',char(13))", "a\nb\rc"],
  ["char(72,105)", "Hi"],
  ["NULL", null],
  ["TRUE", 1],
  ["false", 0],
  ["- 5", -5],
  ["-(+5)", -5],
  ["- -5", 5],
  ["0x1F", 31],
  ["0xFFFFFFFFFFFFFFFF", -1],
  ["9223372036854775807", new ExactInteger(2n ** 63n - 1n)],
  ["-9223372036854775808", new ExactInteger(-(2n ** 63n))],
  ["9223372036854775808", 2 ** 63],
  ["-0.0", new WholeReal(0)],
  ["CURRENT_TIMESTAMP", "2024-01-01 00:00:00"],
  ["date('now')", "2024-01-01"],
])("reads %s", async (literal, value) => {
  expect(await rowsOf(`CREATE TABLE t (a); INSERT INTO t VALUES (${literal});`)).toEqual([[value]]);
});

test("gives columns that are left out their defaults", async () => {
  const [table] =
    await tablesOf(`CREATE TABLE t (id INTEGER PRIMARY KEY DEFAULT 9, a, b TEXT DEFAULT 5,
    c DEFAULT (-1.5), d DEFAULT word, e DEFAULT CURRENT_DATE, f BOOLEAN DEFAULT true);
    INSERT INTO t (a) VALUES ('x'); INSERT INTO t DEFAULT VALUES;`);
  expect(table?.schema.columns[5]?.default).toEqual(new CurrentTime("date"));
  expect(table?.rows.map((row) => Object.values(row))).toEqual([
    [1, "x", "5", -1.5, "word", "2024-01-01", 1],
    [2, null, "5", -1.5, "word", "2024-01-01", 1],
  ]);
});

test("generates the keys that are NULL or left out, as SQLite does", async () => {
  const rows = await rowsOf(`CREATE TABLE t (id INTEGER PRIMARY KEY, a);
    INSERT INTO t VALUES (7, 'a'), (NULL, 'b'); INSERT INTO t (a) VALUES ('c');`);
  expect(rows.map(([id]) => id)).toEqual([7, 8, 9]);
});

test.each([
  ["the largest row", "INSERT INTO t VALUES (5), (3);", 5],
  [
    "what sqlite_sequence says",
    "INSERT INTO t VALUES (5); DELETE FROM sqlite_sequence; INSERT INTO sqlite_sequence VALUES('t',20);",
    20,
  ],
  [
    "nothing, once it is forgotten",
    "INSERT INTO t VALUES (5); DELETE FROM sqlite_sequence;",
    undefined,
  ],
])("keeps the counter of an AUTOINCREMENT key: %s", async (_, inserts, expected) => {
  const [table] = await tablesOf(
    `CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT); ${inserts}`,
  );
  expect(table?.lastGeneratedKey).toBe(expected);
});

test("finds names in any case and in any quotes", async () => {
  const rows = await rowsOf(
    "CREATE TABLE 'my table' (\"Name\", `b`, [c d]); INSERT INTO [MY TABLE] (B, name, 'C D') VALUES (1, 2, 3);",
  );
  expect(rows).toEqual([[2, 1, 3]]);
});

test("keeps columns that have names of JavaScript's own", async () => {
  const [table] = await tablesOf(
    'CREATE TABLE "__proto__" ("__proto__", constructor); INSERT INTO "__proto__" VALUES (1, 2);',
  );
  expect(Object.entries(table?.rows[0] ?? {})).toEqual([
    ["__proto__", 1],
    ["constructor", 2],
  ]);
});

test("keeps row ids that the dump tells", async () => {
  const rows = await rowsOf(
    "CREATE TABLE t (a); INSERT INTO t (rowid, a) VALUES (7, 'x'); CREATE TABLE u (id INTEGER PRIMARY KEY); INSERT INTO u (oid) VALUES (3);",
  );
  expect(rows).toEqual([["x", 7], [3]]);
});

test("reads what shells and services write besides tables", async () => {
  const [table, ...others] = await tablesOf(`SQLite format 3\0
    -- Table: t
    PRAGMA foreign_keys=OFF;
    BEGIN TRANSACTION;
    DROP TABLE IF EXISTS t; DROP VIEW IF EXISTS v; DROP TRIGGER IF EXISTS x; DROP INDEX IF EXISTS i;
    CREATE TABLE IF NOT EXISTS t (a); /* ; */ ;;
    CREATE TABLE IF NOT EXISTS t (b);
    INSERT INTO main.t VALUES (1);
    ANALYZE sqlite_schema;
    INSERT INTO sqlite_stat1 VALUES('t',NULL,'1');
    COMMIT`);
  expect([table?.schema.columns.map(({ name }) => name), table?.rows]).toEqual([["a"], [{ a: 1 }]]);
  expect(others).toEqual([]);
});

test("drops tables and indexes again", async () => {
  const tables = await tablesOf(`CREATE TABLE t (a); INSERT INTO t VALUES (1); DROP TABLE t;
    CREATE TABLE T (b); CREATE INDEX i ON t (b); DROP INDEX I;`);
  expect(tables.map(({ schema, rows }) => [schema.name, schema.indexes, rows])).toEqual([
    ["T", undefined, []],
  ]);
});
