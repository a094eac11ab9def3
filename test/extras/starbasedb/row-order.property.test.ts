import * as fc from "fast-check";
import sqlite from "node-sqlite3-wasm";
import { expect, test } from "vitest";
import { type Condition, textsOf } from "../../../src/core/store/operators.ts";
import {
  compareOrderValues,
  comparisonRules,
  orderValue,
} from "../../../src/core/store/order-value.ts";
import type { Sort, SortKey } from "../../../src/core/store/table.ts";
import type { DeclaredIndex, TableSchema } from "../../../src/core/store/schema.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { rowOrder } from "../../../src/extras/starbasedb/row-order.ts";
import { conditionSql } from "../../support/filter-sql.ts";
import { column } from "../../support/tables.ts";
import { tries } from "../../support/tries.ts";

// The SQLite of the observed service's day is the judge, where one filter or one sort decides how it reads the rows.
// Newer ones give a narrower index precedence where two cost the same; else they agree.

type Cell = number | string | null;
type Cells = Readonly<Record<string, Cell>>;

const names = ["a", "b", "c", "d"];
const types = ["TEXT", "INTEGER", "INT", "REAL", "NUMERIC", "VARCHAR(90)", "CHAR(9)", "BLOB", ""];
const texts = "a|A|b|ab|aB|abc|a |b  ||1|2|3|10|5|5.0|-1|1e2|é|zz|-x|@a".split("|");
// A pattern that begins with plain characters is a range of a NOCASE index.
const patterns = ["%", "_", "%a", "_b", "%b%"];

const collation = fc.constantFrom("BINARY", "BINARY", "NOCASE", "RTRIM" as const);
const rarely = fc.integer({ min: 0, max: 3 }).map((number) => number === 0);

const anyColumns = fc.tuple(
  ...names.map((name) =>
    fc
      .record({
        type: fc.constantFrom(...types),
        notNull: rarely,
        unique: rarely,
        collate: collation,
      })
      .map((extra) => column(name, extra.type, extra)),
  ),
);

/** The key is of one kind: none, the row id, one column, which may be the order of the table. */
const anyKey = fc.oneof(
  fc.constant({ primaryKey: [], type: "INTEGER", withoutRowId: false }),
  fc.constant({ primaryKey: ["a"], type: "INTEGER", withoutRowId: false }),
  fc.record({
    primaryKey: fc.constant(["a"]),
    type: fc.constantFrom("TEXT", "INT"),
    withoutRowId: fc.boolean(),
  }),
);

/** Of one column, so that no filter on a second one makes another index better. */
const anyIndex: fc.Arbitrary<DeclaredIndex> = fc.record({
  unique: rarely,
  columns: fc.tuple(
    fc.record({ name: fc.constantFrom(...names), collate: collation, descending: rarely }),
  ),
});

const anySchema: fc.Arbitrary<TableSchema> = fc
  .tuple(anyColumns, anyKey, fc.array(anyIndex, { maxLength: 3 }))
  .map(([given, { type, ...key }, stated]) => {
    const columns = given.map((each) =>
      each.name === "a" ? { ...each, type, unique: false } : each,
    );
    // Of two indexes of one column a unique one wins, whatever is newer.
    const keys: readonly string[] = key.primaryKey;
    const isIndexed = (name: string, at: number): boolean =>
      keys.includes(name) ||
      columns.some((one) => one.name === name && one.unique) ||
      stated.slice(0, at).some((other) => other.columns[0]?.name === name);
    const single = stated.filter(({ columns: [own] }, at) => !isIndexed(own?.name ?? "", at));
    return {
      name: "t",
      columns: [...columns, column("n", "INTEGER")],
      indexes: single.map((index, at) => ({
        ...index,
        made: { name: `i${at}`, sql: "", position: at },
      })),
      ...key,
    };
  });

const anyText = fc.constantFrom(...texts);
const anyName = fc.constantFrom(...names);

const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    column: anyName,
    operator: fc.constantFrom("eq", "ne", "gt", "gt", "gte", "lt", "lt", "lte" as const),
    value: anyText,
  }),
  fc.record({
    column: anyName,
    operator: fc.constant("like" as const),
    value: fc.constantFrom(...patterns),
  }),
  fc.record({
    column: anyName,
    operator: fc.constant("in" as const),
    values: fc.array(anyText, { minLength: 1, maxLength: 20 }),
  }),
);

const anySort = fc.record({ column: anyName, descending: fc.boolean() });

const anyQuery = fc.oneof(
  fc.record({ where: fc.tuple(anyCondition), sort: fc.constant(undefined) }),
  fc.record({ where: fc.constant([]), sort: fc.option(anySort, { nil: undefined }) }),
);

const anyCell: fc.Arbitrary<Cell> = fc.oneof(
  fc.constant(null),
  anyText,
  anyText,
  fc.integer({ min: -2, max: 9 }),
  fc.constantFrom(0.5, 1.5, -0.5),
);
const anyRows = fc.array(fc.tuple(fc.integer({ min: -20, max: 60 }), ...names.map(() => anyCell)), {
  minLength: 20,
  maxLength: 50,
});

function hasNumberedKey({ columns, primaryKey }: TableSchema): boolean {
  return primaryKey.length === 1 && columns[0]?.type === "INTEGER";
}

function fill(schema: TableSchema, rows: readonly (readonly Cell[])[]): sqlite.Database {
  const database = new sqlite.Database();
  for (const statement of definitions(schema)) database.exec(statement);
  const isNumbered = hasNumberedKey(schema);
  for (const [index, [id = null, first = null, ...others]] of rows.entries()) {
    database.run("INSERT OR IGNORE INTO t VALUES (?, ?, ?, ?, ?)", [
      isNumbered ? id : first,
      ...others,
      index,
    ]);
  }
  return database;
}

function definitions({ columns, primaryKey, indexes = [], withoutRowId }: TableSchema): string[] {
  const single = primaryKey.length === 1 ? primaryKey[0] : undefined;
  const parts = columns.map(
    ({ name, type, notNull, unique, collate }) =>
      `${name} ${type} ${name === single ? "PRIMARY KEY" : ""} ${notNull ? "NOT NULL" : ""}` +
      `${unique ? " UNIQUE" : ""} COLLATE ${collate}`,
  );
  if (primaryKey.length > 1) parts.push(`PRIMARY KEY (${primaryKey.join(", ")})`);
  for (const index of indexes.filter(({ made }) => made === undefined)) {
    parts.push(`UNIQUE (${index.columns.map(({ name }) => name).join(", ")})`);
  }
  const table = `CREATE TABLE t (${parts.join(", ")})${withoutRowId === true ? " WITHOUT ROWID" : ""}`;
  const made = indexes.flatMap((index) => {
    if (index.made === undefined) return [];
    const keys = index.columns.map(
      ({ name, collate, descending }) => `${name} COLLATE ${collate} ${descending ? "DESC" : ""}`,
    );
    return `CREATE ${index.unique ? "UNIQUE" : ""} INDEX ${index.made.name} ON t (${keys.join(", ")})`;
  });
  return [table, ...made];
}

function select(
  database: sqlite.Database,
  { where, sort }: { where: readonly Condition[]; sort: SortKey | undefined },
  window: readonly string[] = [],
): readonly Cells[] {
  const conditions = where.map((condition) => conditionSql(condition.column, condition, () => "?"));
  const values = where.flatMap(textsOf);
  const order =
    sort === undefined ? "" : `ORDER BY ${sort.column} ${sort.descending ? "DESC" : ""}`;
  const filter = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const sql = `SELECT * FROM t ${filter} ${order} ${window.length > 0 ? "LIMIT ? OFFSET ?" : ""}`;
  return database.all(sql, [...values, ...window]) as Cells[];
}

/** Sorts without cleverness. The column `n` counts the rows in the order of their row ids, if the key is not one. */
function sorted(schema: TableSchema, rows: readonly Cells[], order: Sort): Cells[] {
  const rowId = {
    column: hasNumberedKey(schema) ? "a" : "n",
    descending: order.rowIdDescending ?? false,
  };
  const keys = [...order.by, rowId].map((key) => {
    const own = schema.columns.find(({ name }) => name === key.column) ?? column(key.column, "");
    const rules = comparisonRules({ ...own, ...key }, sqliteStorage.kindOf);
    return { ...key, valueOf: (row: Cells) => orderValue(row[key.column] ?? null, rules) };
  });
  return rows.toSorted((left, right) => {
    for (const { valueOf, descending } of keys) {
      const sign = compareOrderValues(valueOf(left), valueOf(right));
      if (sign !== 0) return descending ? -sign : sign;
    }
    return 0;
  });
}

test("rows come in the order in which SQLite's plan visits them", () => {
  fc.assert(
    fc.property(
      anySchema,
      anyRows,
      fc.array(anyQuery, { minLength: 24, maxLength: 24 }),
      (schema, rows, queries) => {
        const database = fill(schema, rows);
        for (const query of queries) {
          const found = select(database, query);
          const order = rowOrder(schema, query.where, query.sort);
          expect(found).toEqual(sorted(schema, found.toReversed(), order));
        }
        database.close();
      },
    ),
    { numRuns: tries(400) },
  );
});

test("a window is a slice of all rows in their order", () => {
  fc.assert(
    fc.property(anySchema, anyRows, anyQuery, (schema, rows, query) => {
      const database = fill(schema, rows);
      const window = select(database, query, ["3", "2"]);
      const all = select(database, query);
      database.close();
      const order = rowOrder(schema, query.where, query.sort);
      expect(window).toEqual(sorted(schema, all, order).slice(2, 5));
    }),
    { numRuns: tries(100) },
  );
});
