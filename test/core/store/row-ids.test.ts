import { expect, test } from "vitest";
import { Database, type TableContents } from "../../../src/core/store/database.ts";
import type { MemoryTable } from "../../../src/core/store/memory-table.ts";
import { CurrentTime } from "../../../src/core/store/schema.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import type { WriteResult } from "../../../src/core/store/table.ts";
import { ExactInteger, integerValue, type Value } from "../../../src/core/store/value.ts";
import { column, memoryTable, table } from "../../support/tables.ts";

function things(
  extra: Partial<TableContents["schema"]> = {},
  rest: Partial<TableContents> = {},
): MemoryTable {
  const { schema, rows } = table("things", ["id INTEGER", "name TEXT"]);
  const contents = { schema: { ...schema, ...extra }, rows, ...rest };
  return memoryTable(Database.load([contents], { storage: sqliteStorage }), "things");
}

/** A table whose row id is none of its columns. */
function lines(...rows: readonly Record<string, Value>[]): MemoryTable {
  const contents = table("lines", ["line TEXT"], { rows });
  return memoryTable(Database.load([contents], { storage: sqliteStorage }), "lines");
}

function idOf(result: WriteResult): unknown {
  return result.ok ? result.row["id"] : result.violations.map(({ message }) => message);
}

const most = 2n ** 63n - 1n;

test.each<readonly [readonly bigint[], bigint]>([
  [[], 1n],
  [[-5n], -4n],
  [[0n], 1n],
  [[3n], 4n],
  [[2n ** 53n - 1n], 2n ** 53n],
  [[2n ** 53n], 2n ** 53n + 1n],
  [[most - 1n], most],
  [[most], 1n],
  [[most, 1n, 2n], 3n],
  [[most, 1n, 2n, 4n], 3n],
  [[most, 2n], 1n],
  [[most, -1n, 0n], 1n],
  [[most, -1n, 0n, 1n, 2n, 3n], 4n],
])("among the ids %s, generates %s", (ids, next) => {
  const rows = things();
  for (const id of ids) expect(rows.insert({ id: integerValue(id) }).ok).toBe(true);
  expect(idOf(rows.insert({}))).toEqual(integerValue(next));
});

test("generates no id that was there before, where that is promised", () => {
  const rows = things({ autoIncrement: true });
  expect(rows.sequence).toBeUndefined();
  rows.insert({ id: -5 });
  expect([rows.sequence, idOf(rows.insert({}))]).toEqual([0, 1]);
  expect([rows.sequence, idOf(rows.insert({}))]).toEqual([1, 2]);
  rows.insert({ id: 7 });
  rows.delete([7]);
  rows.insert({ id: 5 });
  expect([rows.sequence, idOf(rows.insert({}))]).toEqual([7, 8]);
  rows.update([8], { id: 20 });
  expect([rows.sequence, idOf(rows.insert({}))]).toEqual([8, 21]);
});

test("generates ids above the one that is reserved", () => {
  const kept = things(
    { autoIncrement: true },
    { rows: [{ id: 2, name: "a" }], lastGeneratedKey: 9 },
  );
  expect([kept.sequence, idOf(kept.insert({}))]).toEqual([9, 10]);
  const passed = things(
    { autoIncrement: true },
    { rows: [{ id: 12, name: "a" }], lastGeneratedKey: 9 },
  );
  expect(idOf(passed.insert({}))).toBe(13);
  const free = things({}, { rows: [{ id: 2, name: "a" }], lastGeneratedKey: 9 });
  expect([free.sequence, idOf(free.insert({}))]).toEqual([undefined, 3]);
});

test("knows the largest of the ids that it is filled with", () => {
  const rows = [5, 2, 9, 3].map((id) => ({ id, name: "a" }));
  const filled = things({ autoIncrement: true }, { rows });
  expect([filled.sequence, idOf(filled.insert({}))]).toEqual([9, 10]);
});

test("refuses an id that is no whole number, and one that is taken", () => {
  const rows = things({}, { rows: [{ id: 1, name: "a" }] });
  const refusal = 'Column "id" is the row id and takes a whole number, not';
  expect(idOf(rows.insert({ id: 1.5 }))).toEqual([`${refusal} 1.5.`]);
  expect(idOf(rows.insert({ id: "x" }))).toEqual([`${refusal} "x".`]);
  const wide = 'Column "id" is the row id and takes a whole number of 64 bits, not';
  expect(idOf(rows.insert({ id: 1e20 }))).toEqual([`${wide} 100000000000000000000.`]);
  expect(rows.insert({ id: "x" })).toMatchObject({ violations: [{ kind: "no-row-id" }] });
  expect(idOf(rows.insert({ id: "1" }))).toEqual([
    'The primary key "id" must be unique, and 1 is taken.',
  ]);
  expect(idOf(rows.insert({ id: "7" }))).toBe(7);
  expect(idOf(rows.update([1], { id: null }))).toEqual([
    'Column "id" is part of the primary key and needs a value.',
  ]);
  expect(rows.rows()).toEqual([
    { id: 1, name: "a" },
    { id: 7, name: null },
  ]);
});

test("takes an id under the name rowid where no column has it", () => {
  const rows = lines({ line: "a" }, { line: "b" });
  expect(rows.insert({ rowid: 9, line: "c" }).ok).toBe(true);
  expect(rows.insert({ rowid: null, line: "d" }).ok).toBe(true);
  expect(rows.insert({ rowid: "20", line: "e" }).ok).toBe(true);
  const found = ["9", "10", "20", "1"].map((value) =>
    rows.select({ where: [{ column: "rowid", operator: "eq", value }] }),
  );
  expect(found).toEqual([[{ line: "c" }], [{ line: "d" }], [{ line: "e" }], [{ line: "a" }]]);
});

test.each([
  [9.5, 'Column "rowid" is the row id and takes a whole number, not 9.5.'],
  ["x", 'Column "rowid" is the row id and takes a whole number, not "x".'],
  [1, 'Column "rowid" must be unique, and 1 is taken.'],
])("refuses %j under the name rowid", (rowid, message) => {
  const rows = lines({ line: "a" });
  const refused = rows.insert({ rowid, line: "b" });
  expect(refused).toMatchObject({ ok: false, violations: [{ message, columns: ["rowid"] }] });
  expect(rows.size).toBe(1);
});

test("knows no rowid where a column is the row id, or rows have none", () => {
  const message = 'There is no column "rowid".';
  for (const rows of [things(), things({ withoutRowId: true })]) {
    expect(rows.insert({ id: 1, rowid: 5 })).toMatchObject({
      ok: false,
      violations: [{ message }],
    });
  }
  const named = table("named", ["line TEXT", "RowId TEXT"]);
  const strict = table("strict", ["line TEXT"]);
  const open = Database.load([named], { storage: sqliteStorage });
  for (const rows of [memoryTable(open, "named"), memoryTable(Database.load([strict]), "strict")]) {
    expect(rows.insert({ rowid: 5 })).toMatchObject({
      ok: false,
      violations: [{ kind: "unknown-column" }],
    });
  }
});

test("finds rows by their other columns where the row id is none of them", () => {
  const rows = lines({ line: "b" }, { line: "a" });
  const where = [{ column: "line", operator: "eq", value: "a" }] as const;
  const sort = { by: [{ column: "line", descending: false }] };
  expect(rows.select({ where })).toEqual([{ line: "a" }]);
  expect(rows.select({ where: [], sort })).toEqual([{ line: "a" }, { line: "b" }]);
});

test("tests and sorts by a row id that is none of the columns", () => {
  const rows = lines({ line: "a" }, { line: "b" });
  rows.insert({ rowid: new ExactInteger(2n ** 53n + 1n), line: "c" });
  const found = (operator: "ne" | "like" | "gt", value: string): unknown =>
    rows.select({ where: [{ column: "rowid", operator, value }] }).map(({ line }) => line);
  expect(found("ne", "1")).toEqual(["b", "c"]);
  expect(found("like", "%993")).toEqual(["c"]);
  expect(found("gt", "9007199254740992")).toEqual(["c"]);
  const sort = { by: ["line", "rowid"].map((name) => ({ column: name, descending: true })) };
  expect(rows.select({ where: [], sort }).map(({ line }) => line)).toEqual(["c", "b", "a"]);
});

test("takes a key that is called rowid for the row id", () => {
  const contents = table("t", ["rowid INTEGER", "v TEXT"], { primaryKey: ["rowid"] });
  const rows = memoryTable(Database.load([contents], { storage: sqliteStorage }), "t");
  expect(rows.insert({ rowid: 5, v: "a" })).toEqual({ ok: true, row: { rowid: 5, v: "a" } });
  expect(rows.insert({ v: "b" })).toEqual({ ok: true, row: { rowid: 6, v: "b" } });
  expect(rows.get([5])).toEqual({ rowid: 5, v: "a" });
});

test("finds a row by a key as the key's column would store it", () => {
  const contents = table("t", ["v TEXT", "code INT"], {
    primaryKey: ["code"],
    rows: [{ v: "a", code: 5 }],
  });
  const rows = memoryTable(Database.load([contents], { storage: sqliteStorage }), "t");
  expect([rows.get(["5"]), rows.get(["x"])]).toEqual([{ v: "a", code: 5 }, undefined]);
});

test("has keys of any type in tables without row ids, but no NULL", () => {
  const rows = things({ withoutRowId: true });
  expect(rows.insert({ id: "x", name: "a" }).ok).toBe(true);
  expect(rows.get(["x"])).toEqual({ id: "x", name: "a" });
  expect(rows.insert({ name: "b" })).toMatchObject({
    ok: false,
    violations: [{ kind: "not-null", columns: ["id"] }],
  });
});

test("lets several rows have NULL in a key that is not the row id, as SQLite does", () => {
  const words = table("words", ["word TEXT", "n INTEGER"], { primaryKey: ["word"] });
  const rows = memoryTable(Database.load([words], { storage: sqliteStorage }), "words");
  expect([rows.insert({ n: 1 }).ok, rows.insert({ word: null, n: 2 }).ok]).toEqual([true, true]);
  expect(rows.get([null])).toBeUndefined();
  expect(rows.rows().map(({ n }) => n)).toEqual([1, 2]);
});

test("does not round what it looks up in a key of type REAL, as SQLite does not", () => {
  const contents = table("reals", ["n REAL"], { primaryKey: ["n"], rows: [{ n: 2 ** 53 }] });
  const rows = memoryTable(Database.load([contents], { storage: sqliteStorage }), "reals");
  expect(rows.get([2 ** 53])).toEqual({ n: 2 ** 53 });
  expect(rows.get([new ExactInteger(2n ** 53n + 1n)])).toBeUndefined();
});

test("finds no row by a unique column that is not the key", () => {
  const code = column("code", "TEXT", { unique: true });
  const rows = memoryTable(Database.load([table("t", [code], { rows: [{ code: "a" }] })]), "t");
  expect(rows.get(["a"])).toBeUndefined();
});

test("takes a key of type INTEGER alone for the row id, as SQLite does", () => {
  const types = ["INTEGER", " integer ", "INT", "BIGINT"];
  const generated = types.map((type) => things({ columns: [column("id", type)] }).insert({}));
  expect(generated.map((result) => idOf(result))).toEqual([1, 1, null, null]);
});

test("finds rows by keys that no double is exact for", () => {
  const rows = things();
  const key = new ExactInteger(2n ** 53n + 1n);
  rows.insert({ id: 2 ** 53, name: "even" });
  rows.insert({ id: key, name: "odd" });
  expect([rows.get([key])?.["name"], rows.get([2 ** 53])?.["name"]]).toEqual(["odd", "even"]);
  expect(rows.get(["9007199254740993"])?.["name"]).toBe("odd");
  const exactly = { column: "id", operator: "eq", value: "9007199254740993" } as const;
  expect(rows.select({ where: [exactly] })).toEqual([{ id: key, name: "odd" }]);
  expect(rows.select({ where: [{ ...exactly, operator: "gt" }] })).toEqual([]);
  expect(rows.select({ where: [{ ...exactly, operator: "gte" }] })).toHaveLength(1);
  const listed = { column: "id", operator: "in", values: ["9007199254740993", "x"] } as const;
  expect(rows.select({ where: [listed] })).toEqual([{ id: key, name: "odd" }]);
  expect(rows.delete([key]).ok).toBe(true);
  expect(rows.rows().map(({ name }) => name)).toEqual(["even"]);
});

test("fills in the time of the insert in UTC, to the second", () => {
  const formats = ["timestamp", "date", "time"] as const;
  const columns = formats.map((format) =>
    column(format, "TEXT", { default: new CurrentTime(format) }),
  );
  let now = Date.UTC(2024, 1, 29, 23, 5, 9, 999);
  const database = Database.load([table("log", ["id INTEGER", ...columns])], { now: () => now });
  const log = memoryTable(database, "log");
  log.insert({});
  now += 60_000 * 60;
  log.insert({ time: null });
  expect(log.rows()).toEqual([
    { id: 1, timestamp: "2024-02-29 23:05:09", date: "2024-02-29", time: "23:05:09" },
    { id: 2, timestamp: "2024-03-01 00:05:09", date: "2024-03-01", time: null },
  ]);
  const fork = memoryTable(database.fork({ now: () => 0 }), "log");
  expect(fork.insert({})).toMatchObject({ row: { timestamp: "1970-01-01 00:00:00" } });
  const timeless = memoryTable(Database.load([table("log", ["id INTEGER", ...columns])]), "log");
  expect(timeless.insert({})).toMatchObject({ row: { timestamp: "1970-01-01 00:00:00" } });
});

test("stores a default as its column stores a value", () => {
  const columns = [
    "id INTEGER",
    column("n", "INTEGER", { default: "5" }),
    column("text", "TEXT", { default: 7 }),
  ];
  const database = Database.load([table("t", columns)], { storage: sqliteStorage });
  expect(memoryTable(database, "t").insert({})).toEqual({
    ok: true,
    row: { id: 1, n: 5, text: "7" },
  });
});
