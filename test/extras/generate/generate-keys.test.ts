import { expect, test } from "vitest";
import type { FixtureFile } from "../../../src/core/fixture-set/assemble.ts";
import { filesOf, made } from "./generate-made.ts";
import { folder } from "../../core/fixture-set/problems-of.ts";

const users = { columns: { id: "INTEGER", name: "TEXT" } };

test("refuses a reference that needs a row where there are none", async () => {
  const column = { type: "INTEGER", notNull: true, references: "users.id" };
  const files = filesOf({ t: { columns: { user: column } }, users });
  await expect(made(files, { table: "t", count: 3 })).rejects.toThrow(
    'Column "user" refers to "users", which has no rows. Generate some there first: backlot generate users.',
  );
});

const needed = (references: string): object => ({ type: "INTEGER", notNull: true, references });

test.each([
  [
    { t: needed("t.id") },
    {},
    'Column "t" refers to "t" itself, which has no rows. Write a first row by hand, which may refer to itself',
  ],
  [
    { t: needed("u.id") },
    { t: { type: "INTEGER", references: "t.id" } },
    "Generate some there first: backlot generate u.",
  ],
])("tells how to come by first rows where t is %j and u %j", async (own, other, message) => {
  const [t, u] = [{ columns: { id: "INTEGER", ...own } }, { columns: { id: "INTEGER", ...other } }];
  await expect(made(filesOf({ t, u }), { table: "t", count: 3 })).rejects.toThrow(message);
});

function dumpOf(sql: string): readonly FixtureFile[] {
  return folder({ "tables/app.sql": sql });
}

test("goes on after the last key of a dump whose keys are never used again", async () => {
  const rows = await made(
    dumpOf(
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a); INSERT INTO t VALUES (3, 'x');" +
        "INSERT INTO sqlite_sequence VALUES ('t', 40);",
    ),
    { table: "t", count: 2 },
  );
  expect(rows.map(({ id }) => id)).toEqual([41, 42]);
});

test.each([
  ["users", "user_id"],
  ["user", "userId"],
  ["log_entries", "log_entry_id"],
])(
  "makes keys of the table %s for its text key %s, which refers to no other row",
  async (table, key) => {
    const one = { primaryKey: key, columns: { [key]: "TEXT" }, rows: [{ [key]: "first" }] };
    const rows = await made(filesOf({ [table]: one }), { table, count: 20 });
    const keys = rows.map((row) => row[key]);
    expect(new Set(["first", ...keys]).size).toBe(21);
    for (const value of keys) expect(value).toMatch(/^[\w-]+/);
  },
);

test("makes keys for a column that is declared to refer to itself", async () => {
  const t = { primaryKey: "code", columns: { code: { type: "TEXT", references: "t.code" } } };
  const rows = await made(filesOf({ t }), { table: "t", count: 20 });
  expect(new Set(rows.map(({ code }) => code)).size).toBe(20);
});

test.each(["INTEGER", "INT", "TEXT"])(
  "takes the parent's keys for a key of type %s that is a foreign key",
  async (type) => {
    const keys = [3, 8, 21].map((key) => (type === "TEXT" ? `k${key}` : key));
    const parents = { primaryKey: "id", columns: { id: type }, rows: keys.map((id) => ({ id })) };
    const children = {
      primaryKey: "id",
      columns: { id: { type, references: "parents.id" }, note: "TEXT" },
    };
    const files = filesOf({ parents, children });
    const rows = await made(files, { table: "children", count: 3 });
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(keys));
    await expect(made(files, { table: "children", count: 4 })).rejects.toThrow(
      'Column "id" refers to "parents" and is unique, and all 3 rows there are already referred to',
    );
    const none = filesOf({ parents: { ...parents, rows: [] }, children });
    await expect(made(none, { table: "children", count: 1 })).rejects.toThrow(
      'Column "id" refers to "parents", which has no rows. Generate some there first',
    );
  },
);

test("takes the parent's keys for a key of a dump", async () => {
  const sql =
    "CREATE TABLE a (id INTEGER PRIMARY KEY); INSERT INTO a VALUES (5), (9);" +
    "CREATE TABLE b (a_id INTEGER PRIMARY KEY REFERENCES a, x TEXT); INSERT INTO b VALUES (5, 'x');";
  const rows = await made(dumpOf(sql), { table: "b", count: 1 });
  expect(rows.map((row) => row["a_id"])).toEqual([9]);
});
