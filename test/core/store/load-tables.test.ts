import { expect, test } from "vitest";
import { Database, type TableContents } from "../../../src/core/store/database.ts";
import type { MemoryTable } from "../../../src/core/store/memory-table.ts";
import type { Column } from "../../../src/core/store/schema.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import {
  BlobValue,
  ExactInteger,
  type Row,
  type Value,
  WholeReal,
} from "../../../src/core/store/value.ts";
import { column, memoryTable, table } from "../../support/tables.ts";

const columns = ["id INTEGER", "name TEXT", "size REAL", "done BOOLEAN", "any ANY", "doc JSON"];

function load(rows: readonly Row[], storage?: typeof sqliteStorage): MemoryTable {
  const contents = table("things", columns, { rows });
  return memoryTable(Database.load([contents], storage && { storage }), "things");
}

const whole = { id: 1, name: "a", size: 1.5, done: true, any: "x", doc: null };

test("loads rows in any order of their keys, and generates those that are left out", () => {
  const rows = load([{ id: 9 }, { id: 2 }, {}, { id: 5 }, { id: null }, { id: -3 }]);
  expect(rows.rows().map(({ id }) => id)).toEqual([-3, 2, 5, 9, 10, 11]);
  expect(rows.insert({})).toMatchObject({ row: { id: 12 } });
});

test("generates keys from 1 on, or after the first one", () => {
  expect(
    load([{}, {}])
      .rows()
      .map(({ id }) => id),
  ).toEqual([1, 2]);
  expect(
    load([{ id: -7 }, {}])
      .rows()
      .map(({ id }) => id),
  ).toEqual([-7, -6]);
});

test("has a row for each that it loads, with every column in its place", () => {
  const rows = load([whole, { size: 2, id: 2 }, { ...whole, id: 3, doc: [1] }]);
  expect(JSON.stringify(rows.rows())).toBe(
    JSON.stringify([
      whole,
      { id: 2, name: null, size: 2, done: null, any: null, doc: null },
      { ...whole, id: 3, doc: [1] },
    ]),
  );
});

test("keeps rows and documents from being changed by whoever gave them", () => {
  const doc = { list: [1] };
  const given = { ...whole, doc };
  const rows = load([given, { ...whole, id: 2 }]);
  doc.list.push(2);
  expect(rows.get([1])).toEqual({ ...whole, doc: { list: [1] } });
  expect(rows.rows().every((row) => Object.isFrozen(row))).toBe(true);
});

test("reads of a row what it has itself, whatever it was made of", () => {
  const inheriting = Object.create({ name: "inherited" });
  const rows = load([
    Object.assign(Object.create(inheriting), whole),
    Object.assign(Object.create(inheriting), { id: 2 }),
  ]);
  expect(rows.rows().map(({ name }) => name)).toEqual(["a", null]);
  const prototypes = rows.rows().map((row) => Object.getPrototypeOf(row));
  expect(prototypes).toEqual([Object.prototype, Object.prototype]);
});

test.each<readonly [string, Value, Value]>([
  ["id", -0, 0],
  ["size", -0, 0],
  ["done", 1, 1],
  ["any", -0, 0],
  ["any", true, true],
  ["any", new WholeReal(5), new WholeReal(5)],
  ["doc", [-0], [0]],
])("stores in %s what is %j as any insert does", (name, value, stored) => {
  const loaded = load([{ ...whole, id: 7, [name]: value }]);
  const inserted = load([]);
  inserted.insert({ ...whole, id: 7, [name]: value });
  expect(loaded.rows()).toEqual(inserted.rows());
  expect(loaded.rows()[0]?.[name]).toEqual(stored);
});

test.each<readonly [string, Value, Value]>([
  ["name", 5, "5"],
  ["name", "\ud800", "\ud800"],
  ["any", "\ud800", "\ud800"],
  ["any", "5", 5],
  ["size", "1.5", 1.5],
  ["size", Infinity, Infinity],
  ["done", true, 1],
  ["doc", { a: 1 }, '{"a":1}'],
  ["any", new ExactInteger(2n ** 60n + 1n), new ExactInteger(2n ** 60n + 1n)],
  ["any", new BlobValue(Uint8Array.of(1)), new BlobValue(Uint8Array.of(1))],
])("stores in %s what is %j as SQLite does", (name, value, stored) => {
  const rows = load([whole, { ...whole, id: 2, [name]: value }], sqliteStorage);
  expect(rows.get([2])?.[name]).toEqual(stored);
});

const people = table(
  "people",
  ["id INTEGER", column("mail", "TEXT", { unique: true, collate: "NOCASE" }), "age INTEGER"],
  {},
);

function violations(rows: readonly Row[], contents: TableContents = people): readonly string[] {
  return Database.check([{ ...contents, rows }]).map(
    ({ row, kind, columns: names }) => `${row} ${kind} ${names.join()}`,
  );
}

test("names every row that breaks a rule, and takes all the others", () => {
  const good = Array.from({ length: 300 }, (_, at) => ({ id: at, mail: `m${at}`, age: at }));
  expect(violations(good)).toEqual([]);
  expect(violations([...good, { id: 7, mail: "x" }])).toEqual(["300 unique id"]);
  expect(violations([{ id: 400, mail: "M7" }, ...good])).toEqual(["8 unique mail"]);
  expect(violations([...good, { mail: null }, { mail: null }, {}])).toEqual([]);
  expect(violations([...good, { age: "x" }, { nope: 1 }])).toEqual([
    "300 wrong-type age",
    "301 unknown-column nope",
  ]);
});

test("judges neither types nor references of rows out of a database, but what is NOT NULL or unique", () => {
  const stored = table(
    "stored",
    [
      "id INTEGER",
      column("name", "TEXT", { notNull: true }),
      column("mail", "TEXT", { unique: true }),
      column("boss", "INTEGER", { references: { table: "stored", column: "id" } }),
    ],
    {},
  );
  const rows = [
    { id: 1, name: 5, mail: "a", boss: 99 },
    { id: 2, name: null, mail: "b", boss: null },
    { id: 3, name: "c", mail: "a", boss: "x" },
  ];
  expect(violations(rows, { ...stored, asStored: true })).toEqual([
    "1 not-null name",
    "2 unique mail",
  ]);
  const first = Database.load([{ ...stored, asStored: true, rows: rows.slice(0, 1) }]);
  expect(first.table("stored")?.rows()).toEqual(rows.slice(0, 1));
});

test("takes back a value that does not fit, but no other that does not", () => {
  const rows = [{ id: 1, mail: "a", age: "old" }];
  const stored = memoryTable(Database.load([{ ...people, asStored: true, rows }]), "people");
  expect(stored.update([1], { mail: "b", age: "old" })).toMatchObject({ ok: true });
  expect(stored.update([1], { age: "young" })).toMatchObject({
    ok: false,
    violations: [{ kind: "wrong-type", columns: ["age"] }],
  });
  expect(stored.rows()).toEqual([{ id: 1, mail: "b", age: "old" }]);
});

test("gives columns that a row out of a database lacks NULL, and none that the table lacks", () => {
  const stored = { ...people, asStored: true, rows: [{ id: 1, other: 5 }] };
  const rows = memoryTable(Database.load([stored]), "people").rows();
  expect(rows).toEqual([{ id: 1, mail: null, age: null }]);
});

test("takes a default of another database in its own terms", () => {
  const counted = table("counted", ["id INTEGER", column("n", "TEXT", { default: 5 })], {});
  expect(violations([], counted)).toEqual(["undefined schema n"]);
  expect(violations([], { ...counted, asStored: true })).toEqual([]);
});

function to(name: string): Partial<Column> {
  return { references: { table: name, column: "id" } };
}

test("lets rows refer to others of any table, whichever comes first", () => {
  const one = table("one", ["id INTEGER", column("two", "INTEGER", to("two"))], {
    rows: [{ id: 1, two: 2 }],
  });
  const two = table("two", ["id INTEGER", column("one", "INTEGER", to("one"))], {
    rows: [
      { id: 2, one: 1 },
      { id: 3, one: 7 },
      { id: "x", one: 8 },
    ],
  });
  expect(Database.check([one, two])).toMatchObject([
    { table: "two", row: 2, kind: "wrong-type", columns: ["id"] },
    { table: "two", row: 1, kind: "reference-missing", columns: ["one"] },
  ]);
});

test("blames a row for each reference but those to a table with rows that were left out", () => {
  const broken = table("broken", ["id INTEGER"], { rows: [{ id: "x" }] });
  const sound = table("sound", ["id INTEGER", "v TEXT"], { rows: [{ id: 1 }] });
  const { schema } = table("child", [
    "id INTEGER",
    column("b", "INTEGER", to("broken")),
    column("s", "INTEGER", to("sound")),
  ]);
  const foreignKeys = [{ columns: ["b", "s"], to: { table: "broken", columns: ["id", "id"] } }];
  const child = { schema: { ...schema, foreignKeys }, rows: [{ id: 1, b: 5, s: 7 }] };
  expect(Database.check([broken, sound, child])).toMatchObject([
    { table: "broken", row: 0, kind: "wrong-type" },
    { table: "child", row: 0, kind: "reference-missing", columns: ["s"] },
  ]);
});
