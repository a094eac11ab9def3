import { expect, test } from "vitest";
import { generateTable } from "../../../src/extras/generate/generate-table.ts";
import type { FixtureFile } from "../../../src/core/fixture-set/assemble.ts";
import { readSqlTables } from "../../../src/extras/sqlite/read-table-files.ts";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";
import { sqliteStorage, strictStorage } from "../../../src/core/store/storage-rules.ts";
import { filesOf, made, type Wanted } from "./generate-made.ts";

/** The files with the rows that are made in them. */
async function written(
  files: readonly FixtureFile[],
  wanted: Wanted,
): Promise<readonly FixtureFile[]> {
  const generation = await generateTable(files, { readTableFiles: readSqlTables, ...wanted });
  const { path, text, from, to, before, between, after } = generation.target();
  const rows = (await generation.rows()).map((row) => JSON.stringify(row)).join(between);
  const now = `${text.slice(0, from)}${before}${rows}${after}${text.slice(to)}`;
  return files.map((file) => (file.path === path ? { ...file, text: now } : file));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const users = {
  columns: {
    id: "INTEGER",
    name: { type: "TEXT", notNull: true },
    email: { type: "TEXT", unique: true },
  },
  rows: [{ id: 7, name: "Ada", email: "ada@example.com" }],
};

test("makes the same rows for the same seed, and others for another", async () => {
  const files = filesOf({ users });
  const [first, again, other] = [
    await made(files, { table: "users", count: 20, seed: 5 }),
    await made(files, { table: "users", count: 20, seed: 5 }),
    await made(files, { table: "users", count: 20, seed: 6 }),
  ];
  expect(JSON.stringify(again)).toBe(JSON.stringify(first));
  expect(other).not.toEqual(first);
});

test("takes the seed of the fixtures where none is given", async () => {
  const wanted = { table: "users", count: 5 };
  const given = await made(filesOf({ users }), { ...wanted, seed: 5 });
  expect(await made(filesOf({ users }, { seed: 5 }), wanted)).toEqual(given);
  expect(await made(filesOf({ users }), wanted)).not.toEqual(given);
});

test("goes on after the keys that are there, with values that fit the names of columns", async () => {
  const rows = await made(filesOf({ users }), { table: "users", count: 3 });
  expect(rows.map(({ id }) => id)).toEqual([8, 9, 10]);
  for (const { name, email } of rows) {
    expect(name).toMatch(/^\S+ .*\S$/);
    expect(email).toMatch(/^[\w.-]+@example\.(?:com|net|org)$/);
  }
});

test.each([
  ["strict", strictStorage],
  ["SQLite's", sqliteStorage],
])("fills every type with values that %s storage takes", async (_, storage) => {
  const types = ["INTEGER", "REAL", "NUMERIC", "TEXT", "BOOLEAN", "JSON", "ANY", "VARCHAR(5)"];
  const more = ["DECIMAL(5,2)", "DATE", "DATETIME", "BLOB", "BIGINT", "DOUBLE", "CHAR(1)"];
  const names = ["id", "email", "price", "created_at", "tags", "is_new", "lat", "age", "x"];
  const tables = [...types, ...more].map((type, index): [string, unknown] => [
    `t${index}`,
    {
      primaryKey: "key",
      columns: {
        key: "INTEGER",
        ...Object.fromEntries(names.map((name) => [name, { type, notNull: true }])),
      },
    },
  ]);
  const storageFor = () => storage;
  let files = filesOf(Object.fromEntries(tables));
  for (const [table] of tables) files = await written(files, { table, count: 10, storageFor });
  const set = await readFixtureFiles(files, { storageFor });
  expect(set.tables.map(({ rows }) => rows.length)).toEqual(tables.map(() => 10));
  const short = set.tables.find(({ schema }) => schema.columns[1]?.type === "VARCHAR(5)");
  expect(Math.max(...(short?.rows ?? []).map(({ email }) => textOf(email).length))).toBe(5);
});

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

test.each([
  ["TEXT", "2024-01-31T12:00:00Z", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ["TEXT", "2024-01-31", /^\d{4}-\d\d-\d\d$/],
  ["TEXT", "2024-01-31 12:00:00", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
  ["TEXT", null, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ["DATE", null, /^\d{4}-\d\d-\d\d$/],
  ["INTEGER", null, /^1[67]\d{8}$/],
  ["INTEGER", 1_706_702_400_000, /^1[67]\d{11}$/],
  ["TIME", null, timeOfDay],
  ["time(0) without time zone", null, timeOfDay],
  ["TIMETZ", null, timeOfDay],
  ["TIME", "09:30", /^\d\d:\d\d$/],
  ["TEXT", "09:30:00", timeOfDay],
  ["TIMESTAMP", null, /^\d{4}-\d\d-\d\dT/],
])("writes times in a column of type %s as %s is written", async (type, at, form) => {
  const t = { columns: { created_at: type }, rows: [{ created_at: at }] };
  for (const row of await made(filesOf({ t }), { table: "t", count: 5 })) {
    expect(textOf(row["created_at"])).toMatch(form);
  }
});

test.each(["opens", "hour", "name", "day", "start_date"])(
  "makes times for a column of type TIME that is called %s",
  async (name) => {
    const t = { columns: { [name]: { type: "TIME", notNull: true } } };
    const rows = await made(filesOf({ t }), { table: "t", count: 5 });
    for (const row of rows) expect(row[name]).toMatch(timeOfDay);
  },
);

test("takes the values of a column that has few, and so none that is unknown", async () => {
  const states = ["new", "sent", "paid"];
  const rows = Array.from({ length: 12 }, (_, id) => ({ id, state: states[id % 3] }));
  const made50 = await made(filesOf({ orders: { rows } }), { table: "orders", count: 50 });
  expect(new Set(made50.map(({ state }) => state))).toEqual(new Set(states));
});

test("uses the templates of a table, and the names of columns that have none", async () => {
  const generate = { count: 2, row: { name: "no. {{ number }} of {{ tables.users.size }}" } };
  const rows = await made(filesOf({ users: { ...users, generate } }), { table: "users", count: 2 });
  expect(rows.map(({ id, name }) => [id, name])).toEqual([
    [8, "no. 1 of 1"],
    [9, "no. 2 of 2"],
  ]);
  expect(rows[0]?.["email"]).toContain("@example.");
});

test("refers to rows that are there, those included that are made at each start", async () => {
  const orders = {
    columns: {
      id: "INTEGER",
      user_id: { type: "INTEGER", notNull: true, references: "users.id" },
      product_code: { type: "TEXT", references: "products.code" },
    },
  };
  const products = { primaryKey: "code", rows: [{ code: "A" }, { code: "B" }] };
  const generate = { count: 3, row: { name: "x" } };
  const files = filesOf({ orders, products, users: { ...users, generate } });
  const rows = await made(files, { table: "orders", count: 60 });
  expect(new Set(rows.map((row) => row["user_id"]))).toEqual(new Set([7, 8, 9, 10]));
  expect(new Set(rows.map((row) => row["product_code"]))).toEqual(new Set(["A", "B"]));
});

test("takes a column named after a table for a reference to it", async () => {
  const db = { posts: [{ id: 3 }, { id: 5 }], comments: [{ id: 1, postId: 3 }] };
  const files = [{ path: "db.json", name: "db.json", text: JSON.stringify(db) }];
  const rows = await made(files, { table: "comments", count: 30, layout: "document" });
  expect(new Set(rows.map(({ postId }) => postId))).toEqual(new Set([3, 5]));
});

test("refers to rows before in the same table, and to none in the first", async () => {
  const nodes = {
    columns: { id: "INTEGER", parent: { type: "INTEGER", references: "nodes.id" } },
  };
  const rows = await made(filesOf({ nodes }), { table: "nodes", count: 30 });
  expect(rows[0]?.["parent"]).toBeNull();
  for (const { id, parent } of rows.slice(1)) expect(parent).toBeLessThan(Number(id));
});

test("gives each row of a unique reference another row, as long as there are some", async () => {
  const profiles = {
    columns: { user: { type: "INTEGER", unique: true, notNull: true, references: "u.id" } },
    rows: [{ user: 2 }],
  };
  const u = Array.from({ length: 40 }, (_, index) => ({ id: index + 1 }));
  const files = filesOf({ profiles, u });
  const rows = await made(files, { table: "profiles", count: 39 });
  expect(rows.map(({ user }) => Number(user)).toSorted((a, b) => a - b)).toEqual(
    u.map(({ id }) => id).filter((id) => id !== 2),
  );
  await expect(made(files, { table: "profiles", count: 40 })).rejects.toThrow(
    'Column "user" refers to "u" and is unique, and all 40 rows there are already referred to',
  );
});

test.each([
  ["TEXT", { type: "TEXT", unique: true }, "gender"],
  ["NOCASE", { type: "TEXT", unique: true, collate: "NOCASE" }, "color"],
  ["INTEGER", { type: "INTEGER", unique: true }, "age"],
  ["VARCHAR(6)", { type: "VARCHAR(6)", unique: true }, "city"],
  ["REAL", { type: "REAL", unique: true }, "rating"],
])("makes unique values of type %s, however few faker has", async (_, column, name) => {
  const t = { columns: { id: "INTEGER", [name]: column } };
  const files = await written(filesOf({ t }), { table: "t", count: 400 });
  const again = await written(files, { table: "t", count: 400 });
  const { tables } = await readFixtureFiles(again);
  const values = tables[0]?.rows.map((row) => textOf(row[name]).toLowerCase());
  expect(new Set(values).size).toBe(800);
});

test("makes keys of several columns that are unique together", async () => {
  const ids = [{ id: 1 }, { id: 2 }, { id: 3 }];
  const columns = {
    a: { type: "INTEGER", references: "as.id" },
    b: { type: "INTEGER", references: "bs.id" },
  };
  const links = { primaryKey: ["a", "b"], columns };
  const rows = await made(filesOf({ links, as: ids, bs: ids }), { table: "links", count: 9 });
  expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(9);
});

test("gives up where a template has no more unique values, at the template", async () => {
  const columns = { id: "INTEGER", side: { type: "TEXT", unique: true } };
  const generate = { count: 0, row: { side: "{{ 'person.sexType' | faker }}" } };
  const files = filesOf({ t: { columns, generate } });
  await expect(made(files, { table: "t", count: 30 })).rejects.toThrow(
    /Cannot generate rows of "t":\nfx\/tables\/t\.json:1:\d+: In generated row \d: .* must be unique, and .* is taken\. 100 tries found no unused value/,
  );
});

test.each([
  ["a number that is none", { n: "x{{ number }}" }, "takes a whole number, not"],
  ["a reference to nothing", { user: "{{ number | plus: 900 }}" }, "where there is no 901."],
  ["an unknown column", { m: 1 }, 'There is no column "m".'],
  ["a template that is wrong", { n: "{{ nubmer }}" }, 'Did you mean "number"?'],
])("refuses %s in a template", async (_, row, message) => {
  const columns = { n: "INTEGER", user: { type: "INTEGER", references: "users.id" } };
  const t = { columns, generate: { count: 0, row } };
  await expect(made(filesOf({ t, users }), { table: "t", count: 3 })).rejects.toThrow(message);
});

test.each([
  ["usrs", 'the fixtures have no such table. Did you mean "users"?'],
  ["zebra", 'Write its columns into the file tables/zebra.json first, such as { "columns"'],
  ["empty", "it has no columns yet. Declare them in the table, such as"],
])("refuses the table %s", async (table, message) => {
  const files = filesOf({ users, empty: [] });
  await expect(made(files, { table, count: 1 })).rejects.toThrow(message);
});

test("adds rows to a file of which nothing else changes, again and again", async () => {
  const files = filesOf({ users });
  const once = await written(files, { table: "users", count: 100 });
  const twice = await written(once, { table: "users", count: 100 });
  const { tables } = await readFixtureFiles(twice);
  expect(tables[0]?.rows.map(({ id }) => id)).toEqual(Array.from({ length: 201 }, (_, i) => i + 7));
  const names = tables[0]?.rows.map(({ name }) => name) ?? [];
  expect(new Set(names).size).toBeGreaterThan(195);
  expect(twice.filter((file, index) => file.text !== files[index]?.text)).toHaveLength(1);
});

test("leaves unique values to the rows that are made at each start", async () => {
  const generate = {
    count: 150,
    row: { name: "x", email: "{{ 'internet.exampleEmail' | faker }}" },
  };
  const files = filesOf({ users: { ...users, generate } });
  const { tables } = await readFixtureFiles(await written(files, { table: "users", count: 150 }));
  expect(tables[0]?.rows).toHaveLength(301);
});

test("replaces rows by the same ones each time", async () => {
  const wanted = { table: "users", count: 5, replace: true };
  const once = await written(filesOf({ users }), wanted);
  const twice = await written(once, wanted);
  expect(twice).toEqual(once);
  expect((await readFixtureFiles(once)).tables[0]?.rows.map(({ id }) => id)).toEqual([
    1, 2, 3, 4, 5,
  ]);
});

test("does not replace rows that others refer to", async () => {
  const orders = {
    columns: { user: { type: "INTEGER", references: "users.id" } },
    rows: [{ user: 7 }],
  };
  const files = filesOf({ users, orders });
  await expect(made(files, { table: "users", count: 6, replace: true })).rejects.toThrow(
    'Rows of "orders" refer to rows that would be removed: Column "user" refers to "users"."id", where there is no 7.',
  );
  expect(await made(files, { table: "users", count: 7, replace: true })).toHaveLength(7);
});

test("keeps a byte order mark, and writes into the document that the table is in", async () => {
  const text =
    '\uFEFF{\n  "seed": 3,\n  "tables": {\n    "t": [\n      { "id": 1 }\n    ]\n  }\n}\n';
  const files = [{ path: "db.json", name: "db.json", text }];
  const [file] = await written(files, { table: "t", count: 2, layout: "document" });
  expect(file?.text).toBe(
    '\uFEFF{\n  "seed": 3,\n  "tables": {\n    "t": [\n      { "id": 1 },\n      {"id":2},\n      {"id":3}\n    ]\n  }\n}\n',
  );
});

test.each([
  ["a single object", "db.json", '{ "t": { "id": 1 } }', "it is written as a single object"],
  [
    "a SQL dump",
    "app.sql",
    "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT);",
    "it comes from a SQL database",
  ],
])("has no place in %s, but makes rows for another file", async (_, name, text, reason) => {
  const files = [{ path: name, name, text }];
  const generation = await generateTable(files, {
    table: "t",
    count: 1,
    layout: "document",
    readTableFiles: readSqlTables,
  });
  expect(await generation.rows()).toHaveLength(1);
  expect(() => generation.target()).toThrow(
    `Cannot write rows of "t" into its own file: ${reason}. Name a file for them: --out t.json.`,
  );
});
