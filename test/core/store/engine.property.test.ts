import fc from "fast-check";
import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import type { Condition } from "../../../src/core/store/operators.ts";
import type { Query, Table } from "../../../src/core/store/table.ts";
import type { JsonRow } from "../../../src/core/store/value.ts";
import { column, table } from "../../support/tables.ts";
import { tries } from "../../support/tries.ts";
import { NaiveTable } from "./naive-table.ts";

const { schema } = table("things", [
  "id INTEGER",
  column("code", "TEXT", { unique: true, collate: "NOCASE" }),
  "kind TEXT",
  "size REAL",
  "mixed ANY",
]);
const names = schema.columns.map(({ name }) => name);

/** Few distinct values, so that rows tie, collide and are found again. */
const text = fc.oneof(
  fc.constantFrom("a", "A", "b", "Ä", "", "10", "5", "5.0", "\u{1F600}", "\uFFFD", "true"),
  fc.integer({ min: 0, max: 400 }).map((n) => `k${n}`),
);
const number = fc.oneof(
  fc.integer({ min: -3, max: 60 }),
  fc.constantFrom(0.5, -0.5, 1e21, 2 ** 53),
);
const row = fc.record({
  code: fc.option(fc.oneof(text, fc.integer({ min: 0, max: 5_000 }).map(String)), { freq: 4 }),
  kind: fc.option(text, { freq: 6 }),
  size: fc.option(number, { freq: 6 }),
  mixed: fc.option(fc.oneof(text, number, fc.boolean()), { freq: 6 }),
});

const operand = fc.oneof(text, number.map(String));
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    column: fc.constantFrom(...names),
    operator: fc.constantFrom("eq", "ne", "gt", "gte", "lt", "lte"),
    value: operand,
  }),
  fc.record({
    column: fc.constantFrom(...names),
    operator: fc.constant("like"),
    value: fc.constantFrom("%", "k1%", "%0", "_", "a"),
  }),
  fc.record({
    column: fc.constantFrom(...names),
    operator: fc.constant("in"),
    values: fc.array(operand, { minLength: 1, maxLength: 5 }),
  }),
);
const anyQuery: fc.Arbitrary<Query> = fc.record({
  where: fc.array(condition, { maxLength: 3 }),
  sort: fc.option(
    fc.record({
      by: fc.array(fc.record({ column: fc.constantFrom(...names), descending: fc.boolean() }), {
        maxLength: 2,
      }),
      rowIdDescending: fc.boolean(),
    }),
    { nil: undefined },
  ),
  offset: fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined }),
  limit: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
});

/** What an index answers by itself: a range, or all rows, in the order of one column. */
const rangeQuery: fc.Arbitrary<Query> = fc
  .record({
    column: fc.constantFrom("code", "kind", "size", "id"),
    low: fc.option(fc.record({ operator: fc.constantFrom("gt", "gte"), value: operand })),
    high: fc.option(fc.record({ operator: fc.constantFrom("lt", "lte"), value: operand })),
    descending: fc.boolean(),
    rowIdDescending: fc.boolean(),
    offset: fc.integer({ min: 0, max: 60 }),
    limit: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ column: name, low, high, descending, rowIdDescending, offset, limit }) => ({
    where: [low, high].flatMap((bound) => (bound === null ? [] : [{ column: name, ...bound }])),
    sort: { by: [{ column: name, descending }], rowIdDescending },
    offset,
    limit,
  }));
const query = fc.oneof(anyQuery, rangeQuery);

const key = fc.integer({ min: 1, max: 420 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("insert" as const), row }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("update" as const), key, row }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("delete" as const), key }) },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant("select" as const), query }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("fork" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("snapshot" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restore" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

function write(things: Table, naive: NaiveTable, made: Step): void {
  if (made.kind === "insert") {
    const largest = Math.max(0, ...naive.rows.map((one) => Number(one["id"])));
    const added: JsonRow = { id: largest + 1, ...made.row };
    const accepted = naive.accepts(added, undefined);
    expect(things.insert(made.row)).toMatchObject({ ok: accepted });
    if (accepted) naive.rows = [...naive.rows, added];
  }
  if (made.kind === "update") {
    const before = naive.rows.find((one) => one["id"] === made.key);
    const after = { ...before, ...made.row };
    const accepted = before !== undefined && naive.accepts(after, made.key);
    expect(things.update([made.key], made.row)).toMatchObject({ ok: accepted });
    if (accepted) naive.rows = naive.rows.map((one) => (one === before ? after : one));
  }
  if (made.kind === "delete") {
    const left = naive.rows.filter((one) => one["id"] !== made.key);
    expect(things.delete([made.key])).toMatchObject({ ok: left.length < naive.rows.length });
    naive.rows = left;
  }
}

function tableOf(database: Database): Table {
  const things = database.table("things");
  if (things === undefined) throw new Error("The table is gone.");
  return things;
}

test("agrees with a naive scan through any writes, forks and restores", () => {
  const property = fc.property(
    fc.array(row, { minLength: 250, maxLength: 400 }),
    fc.array(step, { minLength: 30, maxLength: 120, size: "max" }),
    (given, steps) => {
      const rows = given.map((one, at) => ({ id: at + 1, ...one, code: `c${at}` }));
      const naive = new NaiveTable(schema, rows);
      let database = Database.load([{ schema, rows }]);
      const others: { readonly database: Database; readonly rows: readonly JsonRow[] }[] = [];
      let saved = { snapshot: database.snapshot(), rows: naive.rows };
      for (const one of steps) {
        if (one.kind === "select") {
          expect(tableOf(database).select(one.query)).toEqual(naive.select(one.query));
        } else if (one.kind === "fork") {
          others.push({ database, rows: naive.rows });
          database = database.fork();
        } else if (one.kind === "snapshot") {
          saved = { snapshot: database.snapshot(), rows: naive.rows };
        } else if (one.kind === "restore") {
          database.restore(saved.snapshot);
          naive.rows = saved.rows;
        } else write(tableOf(database), naive, one);
      }
      expect(tableOf(database).rows()).toEqual(naive.rows);
      for (const other of others) expect(tableOf(other.database).rows()).toEqual(other.rows);
    },
  );
  fc.assert(property, { numRuns: tries(100), interruptAfterTimeLimit: 60_000 });
}, 120_000);
