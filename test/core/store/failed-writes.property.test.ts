import fc from "fast-check";
import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import type { GivenRow } from "../../../src/core/store/value.ts";
import type { Query, Table } from "../../../src/core/store/table.ts";
import { column, table } from "../../support/tables.ts";

function refersTo(name: string): object {
  return { references: { table: name, column: "id" } };
}

/** Two tables that refer to each other's rows, and enough rows for indexes to be made. */
function open(): { readonly database: Database; readonly users: Table } {
  const rows = Array.from({ length: 300 }, (_, at) => ({
    id: at + 1,
    email: `u${at}@x`,
    age: at % 50,
    boss: at === 0 ? null : 1,
  }));
  const columns = [
    "id INTEGER",
    column("email", "TEXT", { unique: true, notNull: true }),
    "age INTEGER",
    column("boss", "INTEGER", refersTo("users")),
  ];
  const posts = table("posts", ["id INTEGER", column("author", "INTEGER", refersTo("users"))], {
    rows: [{ id: 1, author: 7 }],
  });
  const database = Database.load([table("users", columns, { rows }), posts]);
  const users = database.table("users");
  if (users === undefined) throw new Error("There is no table users.");
  return { database, users };
}

/** Everything that shows whether rows and indexes are as they were. */
const queries: readonly Query[] = [
  { where: [] },
  {
    where: [{ column: "email", operator: "gt", value: "u1" }],
    sort: { by: [{ column: "email", descending: true }] },
  },
  { where: [{ column: "age", operator: "eq", value: "7" }] },
  { where: [{ column: "boss", operator: "eq", value: "1" }], limit: 20 },
  { where: [], sort: { by: [{ column: "age", descending: false }] } },
];
const look = (users: Table): unknown => queries.map((query) => users.select(query));

/** Rows of which most break a rule: a value that is taken, a missing one, another type, a lost reference. */
const given: fc.Arbitrary<GivenRow> = fc.record(
  {
    id: fc.oneof(fc.integer({ min: 1, max: 320 }), fc.constant("x")),
    email: fc.option(fc.integer({ min: 0, max: 320 }).map((n) => `u${n}@x`)),
    age: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant("old")),
    boss: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constant(null)),
    nope: fc.constant(1),
  },
  { requiredKeys: [] },
);
const write = fc.record({
  kind: fc.constantFrom(
    "insert" as const,
    "update" as const,
    "replace" as const,
    "delete" as const,
  ),
  key: fc.integer({ min: 0, max: 320 }),
  row: given,
});

test("leaves rows, indexes and generated keys as they were when it refuses a write", () => {
  const property = fc.property(fc.array(write, { maxLength: 60 }), (writes) => {
    const { users } = open();
    let before = look(users);
    for (const { kind, key, row } of writes) {
      const change = {
        insert: () => users.insert(row),
        delete: () => users.delete([key]),
        update: () => users.update([key], row),
        replace: () => users.replace([key], row),
      };
      const result = change[kind]();
      const after = look(users);
      if (!("ok" in result) || result.ok) before = after;
      else expect(after).toEqual(before);
    }
    const last = Math.max(...users.rows().map(({ id }) => Number(id)));
    const next = users.insert({ email: "new@x" });
    expect(next).toMatchObject({ ok: true, row: { id: last + 1 } });
  });
  fc.assert(property, { numRuns: 40, interruptAfterTimeLimit: 30_000 });
}, 60_000);
