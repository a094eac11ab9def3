import { expect, test } from "vitest";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { problemAtMark, problemsOfValue, readText } from "./problems-of.ts";

test("reads a table in full", async () => {
  const { tables } = await readFixtureDocument({
    tables: {
      users: {
        primaryKey: "id",
        columns: {
          id: "INTEGER",
          name: { type: "TEXT", notNull: true, collate: "NOCASE" },
          active: { type: "BOOLEAN", default: true },
          boss: { references: "users.id" },
        },
        rows: [
          { id: 2, name: "Ada" },
          { name: "Bob", boss: 2 },
        ],
      },
    },
  });
  expect(tables[0]?.schema.primaryKey).toEqual(["id"]);
  expect(tables[0]?.schema.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "id INTEGER",
    "name TEXT",
    "active BOOLEAN",
    "boss ANY",
  ]);
  expect(tables[0]?.schema.columns[3]?.references).toEqual({ table: "users", column: "id" });
  expect(tables[0]?.rows).toEqual([
    { id: 2, name: "Ada", active: true, boss: null },
    { id: 3, name: "Bob", active: true, boss: 2 },
  ]);
});

test.each([
  ["whole numbers", [1, 2, null], "INTEGER"],
  ["numbers", [1, 2.5], "REAL"],
  ["numbers too large to be exact", [1e300], "REAL"],
  ["texts", ["a", null], "TEXT"],
  ["booleans", [true, false], "BOOLEAN"],
  ["objects and arrays", [{ a: 1 }, [1]], "JSON"],
  ["texts and numbers", ["a", 1], "ANY"],
  ["booleans and numbers", [true, 1], "ANY"],
  ["nothing but null", [null], "ANY"],
])("infers the type of %s", async (_, values, type) => {
  const { tables } = await readFixtureDocument({ tables: { t: values.map((v) => ({ v })) } });
  expect(tables[0]?.schema.columns).toEqual([
    { ...tables[0]?.schema.columns[0], name: "v", type, notNull: false, unique: false },
  ]);
  expect(tables[0]?.rows.map(({ v }) => v)).toEqual(values);
});

test("infers the columns of all rows, in the order in which they come", async () => {
  const { tables } = await readFixtureDocument({
    tables: { t: { rows: [{ b: 1 }, { id: 7, a: "x" }] } },
  });
  expect(tables[0]?.schema.columns.map(({ name }) => name)).toEqual(["b", "id", "a"]);
  expect(tables[0]?.schema.primaryKey).toEqual(["id"]);
  expect(tables[0]?.rows[1]).toEqual({ b: null, id: 7, a: "x" });
});

test("leaves the columns of an empty table open", async () => {
  const { tables } = await readFixtureDocument({ tables: { t: [], u: { rows: [] } } });
  expect(tables.map(({ schema, rows }) => [schema.columns, rows])).toEqual([
    [[], []],
    [[], []],
  ]);
});

test("takes names that objects have by themselves", async () => {
  const text =
    '{ "tables": { "__proto__": [{ "id": 1, "__proto__": 2, "constructor": 3 }], "toString": [] } }';
  const { tables } = await readText(text);
  expect(tables.map(({ schema }) => schema.name)).toEqual(["__proto__", "toString"]);
  expect(Object.entries(tables[0]?.rows[0] ?? {})).toEqual([
    ["id", 1],
    ["__proto__", 2],
    ["constructor", 3],
  ]);
});

test("lets rows refer to rows that come later, also of a later table", async () => {
  const { tables } = await readFixtureDocument({
    tables: {
      orders: { columns: { id: "INTEGER", user: { references: "users.id" } }, rows: [{ user: 2 }] },
      users: [{ id: 2 }],
    },
  });
  expect(tables[0]?.rows).toEqual([{ id: 1, user: 2 }]);
});

const columns = `"columns": { "id": "INTEGER", "name": { "type": "TEXT", "notNull": true },
  "email": { "type": "TEXT", "unique": true }, "boss": { "type": "INTEGER", "references": "users.id" } }`;

test.each([
  ['{ "id": 1, ▸"nmae": "x", "name": "y" }', 'There is no column "nmae". Did you mean "name"?'],
  ['{ "id": ▸"1", "name": "y" }', 'Column "id" of type INTEGER takes a whole number, not "1".'],
  ['{ "id": 1, "name": ▸5 }', 'Column "name" of type TEXT takes a string, not 5.'],
  ['▸{ "id": 1 }', 'Column "name" is NOT NULL and needs a value.'],
  ['{ "name": ▸null }', 'Column "name" is NOT NULL and needs a value.'],
  [
    '{ "id": 1, "name": "a" }, { "id": ▸1, "name": "b" }',
    'The primary key "id" must be unique, and 1 is taken.',
  ],
  [
    '{ "name": "a", "email": "x" }, { "name": "b", "email": ▸"x" }',
    'Column "email" must be unique, and "x" is taken.',
  ],
  [
    '{ "id": 1, "name": "a", "boss": ▸9 }',
    'Column "boss" refers to "users"."id", where there is no 9.',
  ],
  ["▸5", '"rows[0]" must be an object, but is 5.'],
  ['{ ▸"": 1, "name": "a" }', "A column's name must not be empty."],
])("locates what is wrong with the rows %s", async (rows, expected) => {
  const text = `{ "tables": { "users": { ${columns},\n  "rows": [${rows}] } } }`;
  expect(await problemAtMark(text)).toBe(expected);
});

test.each([
  ['"primaryKey": ▸"uid", "columns": { "id": "TEXT" }', 'The primary key "uid" is not a column.'],
  ['"primaryKey": ["a", ▸"a"], "columns": { "a": "TEXT" }', 'The primary key names "a" twice.'],
  ['"unique": [["a", ▸"b"]], "columns": { "a": "TEXT" }', 'There is no column "b".'],
  [
    '"foreignKeys": ▸[{ "columns": ["a"], "table": "nope", "to": ["id"] }], "columns": { "a": "TEXT" }',
    'refers to the table "nope", which does not exist.',
  ],
  ['"columns": { "a": { "defaultTime": ▸"%q" } }', 'Expected "timestamp", "date"'],
  ['"primaryKey": ▸1', '"primaryKey" must be a column name or an array of them, but is 1.'],
  ['"columns": ▸{}', '"columns" must not be empty. Leave it out'],
  ['"columns": { "a": ▸5 }', '"a" must be a type, or an object, but is 5.'],
  ['"columns": { "a": ▸"INT!" }', 'Expected a column type such as "INTEGER"'],
  ['"columns": { "a": { ▸"notnull": true } }', 'Unknown key "notnull". Did you mean "notNull"?'],
  ['"columns": { "a": { "collate": ▸"nocase" } }', 'Did you mean "NOCASE"?'],
  [
    '"columns": { "a": { "type": "INTEGER", "default": ▸"x" } }',
    'The default of column "a" must be a whole number, not "x".',
  ],
  ['"columns": { "a": { "references": ▸"id" } }', '"references" must be a table and its column'],
  [
    '"columns": { "a": { "references": ▸"user.id" } }',
    'Column "a" refers to the table "user", which does not exist. Did you mean "users"?',
  ],
  [
    '"columns": { "a": { "references": ▸"users.b" } }',
    'Column "a" refers to "users.b", which does not exist.',
  ],
  ['▸"row": []', 'Unknown key "row". Did you mean "rows"?'],
  ['"rows": ▸{}', '"rows" must be an array, but is an object.'],
])("refuses a table with %s", async (table, expected) => {
  expect(await problemAtMark(`{ "tables": { "users": { ${table} } } }`)).toContain(expected);
});

test("takes names of tables and columns as they are, also where only the case differs", async () => {
  const { tables } = await readFixtureDocument({ tables: { users: [{ a: 1, A: 2 }], Users: [] } });
  expect(tables.map(({ schema }) => schema.name)).toEqual(["users", "Users"]);
  expect(tables[0]?.rows).toEqual([{ a: 1, A: 2 }]);
});

test.each<[tables: object, expected: string]>([
  [
    { users: [], Users: [] },
    'tables.Users: The names of the tables "users" and "Users" are the same',
  ],
  [{ t: [{ a: 1 }, { a: 2, A: 3 }] }, 'tables.t[1].A: The names of the columns "a" and "A" are'],
  [
    { t: { columns: { id: "INTEGER", Id: "TEXT" } } },
    'tables.t.columns.Id: The names of the columns "id" and "Id" are the same in the profile',
  ],
  [{ sqlite_x: [] }, 'tables.sqlite_x: The name "sqlite_x" is reserved by SQLite'],
])("refuses for SQLite's rules, which fold names, %j", async (tables, expected) => {
  const reading = readFixtureDocument({ tables }, { storageFor: () => sqliteStorage });
  await expect(reading).rejects.toThrow(expected);
});

test("takes names for SQLite's rules that differ in letters beyond ASCII", async () => {
  const { tables } = await readFixtureDocument(
    { tables: { é: [], É: [] } },
    { storageFor: () => sqliteStorage },
  );
  expect(tables).toHaveLength(2);
});

test("does not blame references to a table that is wrong itself", async () => {
  const lines = await problemsOfValue({
    tables: {
      users: { rows: 5 },
      orders: { columns: { id: "INTEGER", user: { references: "users.id" } }, rows: [{ user: 1 }] },
    },
  });
  expect(lines).toEqual(['tables.users.rows: "rows" must be an array, but is 5.']);
});

test("still judges the rows of other tables when one schema is wrong", async () => {
  const lines = await problemsOfValue({
    tables: {
      users: { primaryKey: "uid", columns: { id: "INTEGER" } },
      orders: { columns: { id: "INTEGER" }, rows: [{ id: "x" }] },
    },
  });
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("tables.orders.rows[0].id: ");
});
