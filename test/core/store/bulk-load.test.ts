import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import type { MemoryTable } from "../../../src/core/store/memory-table.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { ExactInteger, type GivenRow, type Value } from "../../../src/core/store/value.ts";
import { column, memoryTable, table } from "../../support/tables.ts";

const columns = [
  "id INTEGER",
  column("code", "TEXT", { unique: true, collate: "NOCASE" }),
  column("name", "TEXT", { notNull: true }),
];

function empty(): MemoryTable {
  return memoryTable(Database.load([table("things", columns)]), "things");
}

function upTo(count: number): GivenRow[] {
  return Array.from({ length: count }, (_, at) => ({ id: at + 1, code: `c${at}`, name: "n" }));
}

test("makes rows that are in stored form its own, and freezes them", () => {
  const given = upTo(300).toReversed();
  const things = empty();
  const rows = things.loadAll(given) ?? [];
  expect(rows.length).toBe(300);
  expect(rows.every((row, at) => row === given[at] && Object.isFrozen(row))).toBe(true);
  expect(things.rows()).toEqual(given.toReversed());
  expect(things.get([7])).toBe(given[293]);
  expect(things.insert({ name: "next" })).toMatchObject({ row: { id: 301 } });
});

test("gives the rows in the order in which they were given, complete and with their keys", () => {
  const given = [
    { name: "a" },
    { id: 9, name: "b" },
    { name: "c", id: null },
    { id: 4, name: "d" },
  ];
  const things = empty();
  const rows = things.loadAll(given) ?? [];
  expect(rows.map(({ id, code, name }) => [id, code, name])).toEqual([
    [1, null, "a"],
    [9, null, "b"],
    [10, null, "c"],
    [4, null, "d"],
  ]);
  expect(things.rows().map(({ id }) => id)).toEqual([1, 4, 9, 10]);
});

/** What a table with one column besides its key makes of a value. */
function loaded(type: string, value: Value): readonly [given: GivenRow, row: GivenRow | undefined] {
  const things = memoryTable(Database.load([table("t", ["id INTEGER", column("v", type)])]), "t");
  const given = { id: 1, v: value };
  return [given, things.loadAll([given])?.[0]];
}

test.each<readonly [string, Value]>([
  ["TEXT", "x"],
  ["INTEGER", 5],
  ["REAL", 1.5],
  ["DECIMAL", 2.5],
  ["BOOLEAN", true],
  ["BOOLEAN", false],
  ["ANY", "x"],
  ["BLOB", "x"],
  ["JSON", null],
])("takes the row itself where a %s is %j", (type, value) => {
  const [given, row] = loaded(type, value);
  expect(row).toBe(given);
});

test.each<readonly [string, Value, Value]>([
  ["TEXT", "\ud800", "\ud800"],
  ["INTEGER", -0, 0],
  ["INTEGER", 2 ** 60, 2 ** 60],
  ["REAL", -0, 0],
  ["DECIMAL", -0, 0],
  ["DECIMAL", "5", "5"],
  ["BOOLEAN", 1, 1],
  ["ANY", 5, 5],
  ["BLOB", "\udc00", "\udc00"],
  ["JSON", "x", "x"],
  ["JSON", [1], [1]],
])("makes a row of its own where a %s is %j", (type, value, stored) => {
  const [given, row] = loaded(type, value);
  expect(row).toEqual({ id: 1, v: stored });
  expect(row).not.toBe(given);
});

test("makes a row of its own of one that has other columns, in another order, or inherits", () => {
  const given = [
    { code: "a", id: 1, name: "n" },
    { id: 2, name: "n" },
    { id: 4, name: "n", code: "d" },
    Object.assign(Object.create({}), { id: 3, code: "c", name: "n" }),
  ];
  const rows = empty().loadAll(given) ?? [];
  expect(rows.map((row, at) => row === given[at])).toEqual([false, false, false, false]);
  expect(rows.map((row) => JSON.stringify(row))).toEqual([
    '{"id":1,"code":"a","name":"n"}',
    '{"id":2,"code":null,"name":"n"}',
    '{"id":4,"code":"d","name":"n"}',
    '{"id":3,"code":"c","name":"n"}',
  ]);
});

test.each<readonly [string, GivenRow]>([
  ["lacks a value", { id: 500, code: "x", name: null }],
  ["has a value that does not fit", { id: 500, code: "x", name: 5 }],
  ["has another column", { id: 500, code: "x", name: "n", other: 1 }],
  ["has a key that is taken", { id: 7, code: "x", name: "n" }],
  ["has a unique value that is taken", { id: 500, code: "C7", name: "n" }],
  ["has the largest key", { id: Number.MAX_SAFE_INTEGER, code: "x", name: "n" }],
  ["has the smallest key", { id: Number.MIN_SAFE_INTEGER, code: "x", name: "n" }],
  ["has a key of many digits", { id: new ExactInteger(2n ** 60n + 1n), code: "x", name: "n" }],
])("leaves all rows to be judged one by one where one of them %s", (_, row) => {
  const things = empty();
  expect(things.loadAll([...upTo(300), row])).toBeUndefined();
  expect(things.loadAll([row, ...upTo(300)])).toBeUndefined();
  expect(things.size).toBe(0);
  expect(things.loadAll(upTo(300))).toHaveLength(300);
});

test("fills no table that has rows, or no columns", () => {
  const things = empty();
  things.insert({ id: 1, name: "n" });
  expect(things.loadAll([{ id: 2, name: "n" }])).toBeUndefined();
  const unknown = memoryTable(Database.load([table("notes", [])]), "notes");
  expect(unknown.loadAll([{ id: 2 }])).toBeUndefined();
});

test("lets any number of rows have NULL where values are unique", () => {
  const rows = upTo(300).map((row) => ({ ...row, code: null }));
  expect(empty().loadAll(rows)).toHaveLength(300);
});

test("takes the ids that rows without a key column are given as their rowid", () => {
  const contents = table("lines", ["line TEXT"]);
  const lines = memoryTable(Database.load([contents], { storage: sqliteStorage }), "lines");
  expect(lines.loadAll([{ rowid: 5, line: "a" }, { line: "b" }, { rowid: 2, line: "c" }])).toEqual([
    { line: "a" },
    { line: "b" },
    { line: "c" },
  ]);
  expect(lines.rows().map(({ line }) => line)).toEqual(["c", "a", "b"]);
});
