import { expect, test } from "vitest";
import { isEmulatorError } from "../../../src/core/errors/emulator-error.ts";
import { Database } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { column, memoryTable, table } from "../../support/tables.ts";

const users = table("users", ["id INTEGER", column("name", "TEXT", { notNull: true })], {
  rows: [{ id: 1, name: "Ada" }],
});

test("restores a snapshot however often, whatever was written since", () => {
  const database = Database.load([users]);
  const snapshot = database.snapshot();
  const row = memoryTable(database, "users");
  for (let round = 0; round < 2; round++) {
    row.insert({ name: "Bob" });
    row.update([1], { name: "Adele" });
    row.delete([1]);
    database.restore(snapshot);
    expect(row.rows()).toEqual([{ id: 1, name: "Ada" }]);
    expect(row.get([1])).toEqual({ id: 1, name: "Ada" });
  }
});

test("keeps two databases apart that start from one snapshot", () => {
  const first = Database.load([users]);
  const second = Database.load([users]);
  second.restore(first.snapshot());
  memoryTable(second, "users").insert({ name: "Bob" });
  expect(first.table("users")?.size).toBe(1);
  expect(second.table("users")?.size).toBe(2);
});

test.each([
  ["other columns", table("users", ["id INTEGER"]), 'other columns or constraints in "users"'],
  ["another table", table("people", ["id INTEGER"]), 'a table "people", which is not here'],
])("refuses a snapshot of %s, and keeps its rows", (_, contents, difference) => {
  const database = Database.load([users]);
  const other = Database.load([contents]).snapshot();
  const restore = (): void => database.restore(other);
  expect(restore).toThrow(
    `Cannot restore the tables: the snapshot has ${difference}. Restore only snapshots of this emulator.`,
  );
  expect(restore).toThrow(expect.objectContaining({ code: "ERR_OPTION_INVALID" }));
  expect(database.table("users")?.size).toBe(1);
});

test("refuses a snapshot that lacks a table, and one of tables that store otherwise", () => {
  const people = table("people", ["id INTEGER"]);
  const database = Database.load([users, people]);
  const fewer = Database.load([users]).snapshot();
  expect(() => database.restore(fewer)).toThrow('the snapshot has no table "people".');
  const otherwise = Database.load([users, people], { storage: sqliteStorage }).snapshot();
  expect(() => database.restore(otherwise)).toThrow('other columns or constraints in "users"');
});

test("restores a snapshot of another database with tables that are declared alike", () => {
  const [one, other] = [table("people", ["id INTEGER"]), table("people", ["id INTEGER"])];
  const snapshot = Database.load([{ ...one, rows: [{ id: 1 }] }]).snapshot();
  const database = Database.load([other]);
  database.restore(snapshot);
  expect(database.table("people")?.rows()).toEqual([{ id: 1 }]);
});

test("judges the rows of a fork by the fork's own tables", () => {
  const boss = { references: { table: "users", column: "id" } };
  const posts = table("posts", ["id INTEGER", column("by", "INTEGER", boss)]);
  const database = Database.load([users, posts]);
  const fork = database.fork();
  memoryTable(fork, "users").insert({ id: 2, name: "Bob" });
  expect(memoryTable(fork, "posts").insert({ by: 2 }).ok).toBe(true);
  expect(memoryTable(database, "posts").insert({ by: 2 }).ok).toBe(false);
});

test("keeps the indexes of a database and its fork apart", () => {
  const rows = Array.from({ length: 200 }, (_, at) => ({ id: at, code: `c${at}`, kind: at % 4 }));
  const columns = ["id INTEGER", column("code", "TEXT", { unique: true }), "kind INTEGER"];
  const database = Database.load([table("things", columns, { rows })]);
  const first = memoryTable(database, "things");
  const where = [{ column: "kind", operator: "eq", value: "3" }] as const;
  expect(first.select({ where })).toHaveLength(50);
  const second = memoryTable(database.fork(), "things");
  first.update([3], { kind: 9, code: "first" });
  second.delete([7]);
  second.insert({ id: 300, code: "c7", kind: 3 });
  expect([first.select({ where }).length, second.select({ where }).length]).toEqual([49, 50]);
  expect([first.insert({ code: "c3" }).ok, second.insert({ code: "c3" }).ok]).toEqual([
    true,
    false,
  ]);
  expect([first.insert({ code: "c7" }).ok, second.insert({ code: "c7" }).ok]).toEqual([
    false,
    false,
  ]);
});

test("has further tables beside its own, and instead of those of the same name", () => {
  const database = Database.load([users, table("people", ["id INTEGER"])]);
  const others = Database.load([table("users", ["id INTEGER"]), table("notes", ["id INTEGER"])]);
  const [mine, notes] = [memoryTable(others, "users"), memoryTable(others, "notes")];
  const first = database.withTables(new Map([["users", mine]]));
  const both = first.withTables(new Map([["notes", notes]]));
  expect(both.names()).toEqual(["users", "people", "notes"]);
  expect([both.table("users"), both.table("notes")]).toEqual([mine, notes]);
  expect(both.fork().table("notes")).toBe(notes);
  expect([...both.snapshot().tables.keys()]).toEqual(["users", "people"]);
  expect(database.names()).toEqual(["users", "people"]);
  expect(both.table("nothing")).toBeUndefined();
});

test("names every broken row by table and index, and every broken rule of it", () => {
  const orders = table(
    "orders",
    ["id INTEGER", column("user_id", "INTEGER", { references: { table: "people", column: "id" } })],
    {
      rows: [
        { id: 1, user_id: 2 },
        { id: 1, user_id: 1 },
        { user_id: "x", extra: 1 },
      ],
    },
  );
  const people = table("people", ["id INTEGER"], { rows: [{ id: 1 }] });
  expect(Database.check([orders, people])).toMatchObject([
    { table: "orders", row: 1, kind: "unique" },
    { table: "orders", row: 2, kind: "unknown-column", columns: ["extra"] },
    { table: "orders", row: 2, kind: "wrong-type", columns: ["user_id"] },
    { table: "orders", row: 0, kind: "reference-missing", columns: ["user_id"] },
  ]);
});

test("does not blame a row for referring to one that is refused", () => {
  const parent = table("parent", ["id INTEGER"], { rows: [{ id: "x" }] });
  const child = table(
    "child",
    [column("p", "INTEGER", { references: { table: "parent", column: "id" } })],
    {
      rows: [{ p: 1 }],
    },
  );
  expect(Database.check([parent, child])).toMatchObject([{ table: "parent", row: 0 }]);
});

test.each([
  [
    { primaryKey: ["idd"] },
    column("id", "INTEGER"),
    'The primary key "idd" is not a column. Did you mean "id"?',
    "idd",
  ],
  [
    { primaryKey: ["id", "id"] },
    column("id", "INTEGER"),
    'The primary key names "id" twice.',
    "id",
  ],
  [
    {},
    column("id", "TEXT", { default: 5 }),
    'The default of column "id" must be a string, not 5.',
    "id",
  ],
  [
    {},
    column("id", "TEXT", { references: { table: "user", column: "id" } }),
    'Column "id" refers to the table "user", which does not exist. Did you mean "users"?',
    "id",
  ],
  [
    {},
    column("id", "TEXT", { references: { table: "users", column: "nme" } }),
    'Column "id" refers to "users.nme", which does not exist. Did you mean "name"?',
    "id",
  ],
])("refuses a schema that contradicts itself: %j", (rest, broken, message, name) => {
  expect(Database.check([users, table("broken", [broken], rest)])).toEqual([
    { kind: "schema", table: "broken", row: undefined, columns: [name], message },
  ]);
});

test("takes a default of NULL for none", () => {
  const things = table("things", ["id INTEGER", column("name", "TEXT", { default: null })]);
  expect(Database.check([things])).toEqual([]);
});

test("refuses two tables or two columns of one name", () => {
  const twice = table("users", ["a TEXT", "a TEXT"]);
  expect(Database.check([users, twice])).toMatchObject([
    { kind: "schema", message: 'There are two tables "users".', columns: [] },
    { kind: "schema", message: 'There are two columns "a".', columns: ["a"] },
  ]);
});

test("throws one error with every problem when it is built from broken contents", () => {
  const broken = table("users", ["id INTEGER"], { rows: [{ id: "a" }, { id: "b" }] });
  let thrown: unknown;
  try {
    Database.load([broken]).names();
  } catch (error) {
    thrown = error;
  }
  expect(isEmulatorError(thrown) && thrown.code).toBe("ERR_FIXTURES_INVALID");
  expect(isEmulatorError(thrown) && thrown.problems).toHaveLength(2);
});
