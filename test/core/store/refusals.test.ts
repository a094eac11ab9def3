import { expect, test } from "vitest";
import { isEmulatorError } from "../../../src/core/errors/emulator-error.ts";
import { Database, type TableContents } from "../../../src/core/store/database.ts";
import type { WriteResult } from "../../../src/core/store/table.ts";
import { BlobValue, ExactInteger, type GivenRow } from "../../../src/core/store/value.ts";
import { column, memoryTable, table } from "../../support/tables.ts";

const people = table(
  "people",
  [
    "id INTEGER",
    column("name", "TEXT", { notNull: true }),
    column("mail", "TEXT", { unique: true }),
    column("boss", "INTEGER", { references: { table: "people", column: "id" } }),
    "age INTEGER",
    "note ANY",
  ],
  { rows: [{ id: 1, name: "Ada", mail: "a@x" }] },
);

const { schema: plainSeats } = table("seats", ["row TEXT", "at INTEGER", "held TEXT"], {
  primaryKey: ["row", "at"],
});
const seats: TableContents = {
  schema: {
    ...plainSeats,
    indexes: [
      {
        columns: [
          { name: "at", collate: "BINARY", descending: false },
          { name: "held", collate: "NOCASE", descending: false },
        ],
        unique: true,
      },
      { columns: [{ name: "row", collate: "BINARY", descending: false }], unique: false },
    ],
  },
  rows: [
    { row: "a", at: 1, held: "Ada" },
    { row: "b", at: 1, held: null },
  ],
};

const { schema: plainTickets } = table("tickets", ["id INTEGER", "row TEXT", "at INTEGER"]);
const tickets: TableContents = {
  schema: {
    ...plainTickets,
    foreignKeys: [{ columns: ["row", "at"], to: { table: "seats", columns: ["row", "at"] } }],
  },
  rows: [{ id: 1, row: "a", at: 1 }],
};

const lines = table("lines", ["line TEXT"]);
const names = table("names", [column("name", "")], { primaryKey: ["name"] });

function open(name: string): ReturnType<typeof memoryTable> {
  return memoryTable(Database.load([people, seats, tickets, lines, names]), name);
}

function messages(result: WriteResult): readonly string[] {
  return result.ok ? [] : result.violations.map(({ message }) => message);
}

test.each<readonly [string, GivenRow, string]>([
  ["people", { name: "Bob", nmae: 1 }, 'There is no column "nmae". Did you mean "name"?'],
  ["people", { name: "Bob", zzzzzz: 1 }, 'There is no column "zzzzzz".'],
  ["people", { name: 5 }, 'Column "name" of type TEXT takes a string, not 5.'],
  ["people", { name: ["Bob"] }, 'Column "name" of type TEXT takes a string, not an array.'],
  ["people", { name: { a: 1 } }, 'Column "name" of type TEXT takes a string, not an object.'],
  [
    "people",
    { name: "B", age: "5" },
    'Column "age" of type INTEGER takes a whole number, not "5".',
  ],
  ["people", { name: new BlobValue(new Uint8Array()) }, "not a blob."],
  ["people", { name: new ExactInteger(2n ** 60n + 1n) }, "not 1152921504606846977."],
  ["people", { name: Symbol("s") }, "not a symbol."],
  ["people", { name: "B", note: () => 1 }, "not a function."],
  [
    "people",
    { name: "B", note: Number.NaN },
    'Column "note" of type ANY takes a JSON value, at most 1000 levels deep, not NaN.',
  ],
  ["people", { name: "B", age: "x".repeat(101) }, `not "${"x".repeat(100)}…".`],
  ["people", { name: "B", age: "x".repeat(100) }, `not "${"x".repeat(100)}".`],
  [
    "names",
    { name: () => 1 },
    'Column "name" takes a JSON value, at most 1000 levels deep, not a f',
  ],
  ["people", {}, 'Column "name" is NOT NULL and needs a value.'],
  ["names", {}, 'Column "name" is part of the primary key and needs a value.'],
  ["people", { id: 1, name: "B" }, 'The primary key "id" must be unique, and 1 is taken.'],
  ["people", { name: "B", mail: "a@x" }, 'Column "mail" must be unique, and "a@x" is taken.'],
  [
    "seats",
    { row: "a", at: 1 },
    'The primary key "row", "at" must be unique, and "a", 1 is taken.',
  ],
  [
    "seats",
    { row: "c", at: 1, held: "ADA" },
    'The columns together "at", "held" must be unique, and 1, "ADA" is taken.',
  ],
  ["people", { name: "B", boss: 7 }, 'Column "boss" refers to "people"."id", where there is no 7.'],
  [
    "tickets",
    { row: "b", at: 7 },
    'Columns "row", "at" refer to "seats"."row", "seats"."at", where there is no "b", 7.',
  ],
])("says why %s cannot have %j", (name, row, message) => {
  expect(messages(open(name).insert(row))).toEqual([expect.stringContaining(message)]);
});

test("says which rows refer to one that is to go, or to change", () => {
  const all = memoryTable(Database.load([people]), "people");
  all.insert({ name: "Bob", boss: 1 });
  const message = 'Rows of "people" refer to 1 in "id" with their column "boss".';
  expect(messages(all.delete([1]))).toEqual([message]);
  const both = 'Rows of "tickets" refer to "a", 1 in "row", "at" with their columns "row", "at".';
  expect(messages(open("seats").update(["a", 1], { at: 2 }))).toEqual([both]);
});

test("says by which key it found no row", () => {
  expect(messages(open("people").delete([7]))).toEqual(['There is no row with "id" = 7.']);
  expect(messages(open("people").delete([null]))).toEqual(['There is no row with "id" = null.']);
  expect(messages(open("seats").delete(["a", 7]))).toEqual([
    'There is no row with "row", "at" = "a", 7.',
  ]);
  expect(messages(open("lines").delete(["a"]))).toEqual([
    "The table has no primary key to find a row by.",
  ]);
});

function thrownBy(contents: readonly TableContents[]): unknown {
  try {
    return Database.load(contents);
  } catch (error) {
    return isEmulatorError(error) ? [error.message, error.problems] : error;
  }
}

test("names table, row and reason of what cannot be loaded, and how many more there are", () => {
  const rows = [{ id: "x" }, { id: 2 }];
  const one = table("things", ["id INTEGER"], { rows });
  const wrong = 'Table "things", row 0: Column "id" of type INTEGER takes a whole number, not "x".';
  expect(thrownBy([one])).toEqual([
    `Cannot load the tables: ${wrong} Correct the rows or the schema.`,
    [{ message: wrong }],
  ]);
  const two = table("things", ["id INTEGER"], { rows: [...rows, { id: 2 }] });
  expect(thrownBy([two])).toEqual([
    `Cannot load the tables: ${wrong} There is 1 more. Correct the rows or the schema.`,
    [{ message: wrong }, { message: expect.stringContaining('Table "things", row 2: ') }],
  ]);
  const twice = table("things", ["id INTEGER", "id TEXT"]);
  expect(thrownBy([twice])).toEqual([
    'Cannot load the tables: Table "things": There are two columns "id". Correct the rows or the schema.',
    [{ message: 'Table "things": There are two columns "id".' }],
  ]);
});

test.each([
  [
    [{ columns: ["row", "at"], to: { table: "seat", columns: ["row", "at"] } }],
    'Columns "row", "at" refer to the table "seat", which does not exist. Did you mean "seats"?',
  ],
  [
    [{ columns: ["row", "at"], to: { table: "seats", columns: ["row"] } }],
    'Columns "row", "at" refer to 1 column of "seats", but needs one for each.',
  ],
  [
    [{ columns: ["row", "at"], to: { table: "seats", columns: ["row", "att"] } }],
    'Columns "row", "at" refer to "seats.att", which does not exist. Did you mean "at"?',
  ],
])("says what is wrong with a foreign key of several columns", (foreignKeys, message) => {
  const broken = { schema: { ...plainTickets, foreignKeys }, rows: [] };
  expect(Database.check([seats, broken])).toEqual([
    { kind: "schema", table: "tickets", row: undefined, columns: ["row", "at"], message },
  ]);
});

test("says which column a query names in vain", () => {
  const where = [{ column: "nmae", operator: "eq", value: "x" }] as const;
  expect(() => open("people").select({ where })).toThrow(
    'Cannot query "people": there is no column "nmae".',
  );
});
