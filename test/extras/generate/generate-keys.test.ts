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
