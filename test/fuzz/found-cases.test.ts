import { expect, test } from "vitest";
import type { Column, TableSchema } from "../../src/core/store/schema.ts";
import type { FuzzCase, FuzzQuery, Step } from "./fuzz-case.ts";
import { runCase } from "./run-case.ts";
import { SqliteJudge } from "./sqlite-judge.ts";

// What the fuzzer found once, as small as it is. SQLite says what is right.

const judge = await SqliteJudge.open();

function column(name: string, type: string, more: Partial<Column> = {}): Column {
  const plain = { notNull: false, unique: false, default: undefined, references: undefined };
  return { name, type, collate: "BINARY", ...plain, ...more };
}

function tableOf(
  columns: readonly Column[],
  primaryKey: readonly string[],
  more: Partial<TableSchema> = {},
): TableSchema {
  return { name: "t", columns, primaryKey, ...more };
}

const select = (query: Partial<FuzzQuery>): Step => ({
  kind: "select",
  query: { where: [], sort: [], ties: "as planned", limit: undefined, offset: undefined, ...query },
});

const keyed = tableOf([column("a", "INTEGER")], ["a"]);
const counted: TableSchema = { ...keyed, autoIncrement: true };
const real = tableOf([column("a", "REAL")], ["a"]);
const plain = tableOf([column("a", "TEXT")], []);
const padded = tableOf([column("a", "TEXT"), column("b", "TEXT", { collate: "RTRIM" })], [], {
  indexes: [
    {
      unique: true,
      columns: [
        { name: "a", collate: "BINARY", descending: false },
        { name: "b", collate: "NOCASE", descending: false },
      ],
    },
  ],
});

const found: readonly (readonly [title: string, found: Omit<FuzzCase, "load">])[] = [
  [
    "generates the key after a negative one",
    { schema: keyed, rows: [{ a: -3n }, {}], steps: [{ kind: "insert", given: {} }] },
  ],
  [
    "generates the keys after one of more than 53 bits",
    { schema: keyed, rows: [{ a: -(2n ** 60n) - 1n }, {}, {}], steps: [] },
  ],
  [
    "begins keys that are never used again at 1",
    { schema: counted, rows: [{ a: -1n }, {}], steps: [{ kind: "insert", given: {} }] },
  ],
  [
    "uses a key again that only an update gave",
    {
      schema: counted,
      rows: [{}],
      steps: [
        { kind: "update", key: [1n], given: { a: 13n } },
        { kind: "delete", key: [13n] },
        { kind: "insert", given: {} },
      ],
    },
  ],
  [
    "compares a key with a REAL without rounding it",
    {
      schema: real,
      rows: [{ a: 2n ** 53n + 1n }],
      steps: [{ kind: "delete", key: [2n ** 53n + 1n] }],
    },
  ],
  [
    "takes no REAL beyond 64 bits for a row id",
    { schema: keyed, rows: [], steps: [{ kind: "insert", given: { a: -(2 ** 63) } }] },
  ],
  [
    "keeps the row ids that rows are loaded with",
    {
      schema: plain,
      rows: [
        { a: "x", rowid: 9n },
        { a: "y", rowid: 4n },
      ],
      steps: [{ kind: "insert", given: {} }, select({})],
    },
  ],
  [
    "finds rows by a column's own collation beside a unique index with another one",
    {
      schema: padded,
      rows: [{ a: "x", b: "" }],
      steps: [
        select({
          where: [
            { column: "b", operator: "eq", value: "  " },
            { column: "a", operator: "eq", value: "x" },
          ],
        }),
      ],
    },
  ],
];

test.each(found)("%s", (_, small) => {
  for (const load of ["as values", "as a dump"] as const) {
    expect(runCase({ ...small, load }, judge)).toBeUndefined();
  }
});
