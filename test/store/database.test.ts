import { expect, test } from "vitest";
import { isEmulatorError } from "../../src/errors/emulator-error.ts";
import { Database } from "../../src/store/database.ts";
import { column, memoryTable, table } from "../support/tables.ts";

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
    `Cannot restore the tables: the snapshot has ${difference}. Restore only what a snapshot of this emulator gave.`,
  );
  expect(restore).toThrow(expect.objectContaining({ code: "ERR_OPTION_INVALID" }));
  expect(database.table("users")?.size).toBe(1);
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
  ],
  [{ primaryKey: ["id", "id"] }, column("id", "INTEGER"), 'The primary key names "id" twice.'],
  [{}, column("id", "TEXT", { default: 5 }), 'The default of column "id" must be a string, not 5.'],
  [
    {},
    column("id", "TEXT", { references: { table: "user", column: "id" } }),
    'Column "id" refers to the table "user", which does not exist. Did you mean "users"?',
  ],
  [
    {},
    column("id", "TEXT", { references: { table: "users", column: "nme" } }),
    'Column "id" refers to "users.nme", which does not exist. Did you mean "name"?',
  ],
])("refuses a schema that contradicts itself: %j", (rest, broken, message) => {
  expect(Database.check([users, table("broken", [broken], rest)])).toEqual([
    { kind: "schema", table: "broken", row: undefined, columns: expect.any(Array), message },
  ]);
});

test("refuses two tables or two columns of one name", () => {
  const twice = table("users", ["a TEXT", "a TEXT"]);
  expect(Database.check([users, twice])).toMatchObject([
    { kind: "schema", message: 'There are two tables "users".' },
    { kind: "schema", message: 'There are two columns "a".' },
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
