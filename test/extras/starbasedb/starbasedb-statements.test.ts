import { expect, test } from "vitest";
import { createStatement } from "../../../src/extras/starbasedb/system-tables.ts";
import { refuseInsertSyntax } from "../../../src/extras/starbasedb/answer.ts";
import {
  isTooBig,
  longestStatement,
  longestValue,
} from "../../../src/extras/starbasedb/filters.ts";
import { type Column, CurrentTime, type TableSchema } from "../../../src/core/store/schema.ts";
import { BlobValue, ExactInteger, WholeReal } from "../../../src/core/store/value.ts";
import { column } from "../../support/tables.ts";
import { jsonOf } from "../../core/tables/ask.ts";

// Statements as they are written, and what is said of those that nobody would take.

function statement(columns: readonly Column[], rest: Partial<TableSchema> = {}): string {
  return createStatement({ name: "t", columns, primaryKey: [], ...rest });
}

test.each<[Partial<Column>, string]>([
  [{}, "a TEXT"],
  [{ notNull: true }, "a TEXT NOT NULL"],
  [{ unique: true }, "a TEXT UNIQUE"],
  [{ collate: "NOCASE" }, "a TEXT COLLATE NOCASE"],
  [{ references: { table: "o", column: "b c" } }, 'a TEXT REFERENCES o("b c")'],
  [{ default: null }, "a TEXT"],
  [{ default: 5 }, "a TEXT DEFAULT 5"],
  [{ default: -1e-7 }, "a TEXT DEFAULT -1e-7"],
  [{ default: true }, "a TEXT DEFAULT TRUE"],
  [{ default: false }, "a TEXT DEFAULT FALSE"],
  [{ default: "it's" }, "a TEXT DEFAULT 'it''s'"],
  [{ default: { k: "it's" } }, `a TEXT DEFAULT '{"k":"it''s"}'`],
  [{ default: new WholeReal(5) }, "a TEXT DEFAULT 5.0"],
  [{ default: new ExactInteger(2n ** 60n + 1n) }, "a TEXT DEFAULT 1152921504606846977"],
  [{ default: new BlobValue(new Uint8Array([0, 10, 255])) }, "a TEXT DEFAULT x'000aff'"],
  [{ default: new CurrentTime("date") }, "a TEXT DEFAULT CURRENT_DATE"],
  [
    { notNull: true, unique: true, default: 1, collate: "NOCASE" },
    "a TEXT NOT NULL UNIQUE DEFAULT 1 COLLATE NOCASE",
  ],
])("writes a column with %j as %s", (extra, expected) => {
  expect(statement([column("a", "TEXT", extra)])).toBe(`CREATE TABLE t (${expected})`);
});

test.each([
  ["", "a"],
  ["VARCHAR(20)", "a VARCHAR(20)"],
  ["decimal ( 10 , -2 )", "a decimal ( 10 , -2 )"],
  ["5", 'a "5"'],
  ["not a type", 'a "not a type"'],
  ["TEXT AS", 'a "TEXT AS"'],
  ['my "type"', 'a "my ""type"""'],
])("writes a column of the type %j as %s", (type, expected) => {
  expect(statement([column("a", type)])).toBe(`CREATE TABLE t (${expected})`);
});

test("writes the key, and what its table is", () => {
  const columns = [column("id", "INTEGER"), column("b c", "TEXT")];
  const counting = statement(columns, { primaryKey: ["id"], autoIncrement: true });
  const plain = statement(columns, { primaryKey: ["b c"], autoIncrement: false });
  const both = statement(columns, { primaryKey: ["b c", "id"], withoutRowId: true });
  expect([counting, plain, both]).toEqual([
    'CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, "b c" TEXT)',
    'CREATE TABLE t (id INTEGER, "b c" TEXT PRIMARY KEY)',
    'CREATE TABLE t (id INTEGER, "b c" TEXT, PRIMARY KEY ("b c", id)) WITHOUT ROWID',
  ]);
});

test("writes references of several columns, and names that need quotes", () => {
  const to = { table: "or der", columns: ["x", "select"] };
  const foreignKeys = [{ columns: ["a", 'b"b'], to }];
  const columns = [column("a", "TEXT"), column('b"b', "TEXT")];
  expect(statement(columns, { name: "order", foreignKeys })).toBe(
    'CREATE TABLE "order" (a TEXT, "b""b" TEXT, ' +
      'FOREIGN KEY (a, "b""b") REFERENCES "or der"(x, "select"))',
  );
});

test("keeps the statement that made a table", () => {
  expect(statement([column("a", "TEXT")], { sql: "create table t(a)" })).toBe("create table t(a)");
});

function refusal(columns: readonly string[], table = "t"): unknown {
  const reply = refuseInsertSyntax(table, columns);
  return reply && jsonOf(reply);
}

test.each([
  [["a", "b"], undefined],
  [[""], 'near \\")\\": syntax error at offset 15: SQLITE_ERROR'],
  [["", "b"], 'near \\",\\": syntax error at offset 15: SQLITE_ERROR'],
  [["a", ""], 'near \\")\\": syntax error at offset 18: SQLITE_ERROR'],
  [["ab", "select"], 'near \\"select\\": syntax error at offset 19: SQLITE_ERROR'],
  [["ab", "cd", "5"], 'near \\"5\\": syntax error at offset 23: SQLITE_ERROR'],
  [["ab", "1_0"], 'near \\"1_0\\": syntax error at offset 19: SQLITE_ERROR'],
  [["ab", "5x"], 'unrecognized token: \\"5x\\" at offset 19: SQLITE_ERROR'],
])("says where a statement that inserts %j cannot be read", (columns, expected) => {
  const said = JSON.stringify(refusal(columns));
  if (expected === undefined) expect(said).toBeUndefined();
  else expect(said).toContain(expected);
});

test("says where a table's name cannot be read", () => {
  expect(JSON.stringify(refusal(["a"], ""))).toContain('near \\"(\\": syntax error at offset 13');
});

test("binds no more than a hundred values", () => {
  const columns = Array.from({ length: 101 }, (_, at) => `c${at}`);
  const head = `INSERT INTO t (${columns.join(", ")}) VALUES (${"?, ".repeat(100)}`;
  expect(refusal(columns.slice(1))).toBeUndefined();
  expect(JSON.stringify(refusal(columns))).toContain(
    `too many SQL variables at offset ${head.length}: SQLITE_ERROR`,
  );
});

test("reads no statement that is longer than it may be", () => {
  const longest = "x".repeat(longestStatement - "INSERT INTO t (a, ) VALUES (?, ?)".length);
  expect(refusal(["a", longest])).toBeUndefined();
  expect(JSON.stringify(refusal(["a", `${longest}x`]))).toContain("statement too long");
});

test.each<[string, number, boolean]>([
  ["x", longestValue, false],
  ["x", longestValue + 1, true],
  ["é", longestValue / 2, false],
  ["é", longestValue / 2 + 1, true],
  ["€", Math.ceil(longestValue / 3), true],
])("measures the texts of a row in bytes: %s, %i times", (letter, count, isBeyond) => {
  const half = letter.repeat(count >> 1);
  const rest = letter.repeat(count - half.length);
  expect(isTooBig([half, 5, null, rest])).toBe(isBeyond);
});
