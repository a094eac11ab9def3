import * as fc from "fast-check";
import { expect, test } from "vitest";
import { affinityFit } from "../../../src/core/store/storage-rules.ts";
import { affinity } from "../../../src/core/store/column-kinds.ts";
import { soleOperand } from "../../../src/core/store/operand.ts";
import { compileCondition } from "../../../src/core/store/operators.ts";
import {
  compareOrderValues,
  type ComparisonRules,
  orderKey,
  orderValue,
} from "../../../src/core/store/order-value.ts";
import type { Collation } from "../../../src/core/store/schema.ts";
import type { Value } from "../../../src/core/store/value.ts";
import { anyPattern, anySpelling, anyText, anyValue, patternOf } from "./any-value.ts";
import { type SqliteColumn, sqliteColumns, storedForm } from "./sqlite-column.ts";
import { tries } from "../../support/tries.ts";

// SQLite itself is the judge of a column's values: how they are stored, compared, matched and sorted.

const runs = tries(1_000);

const types = [
  "INTEGER",
  "BIGINT",
  "REAL",
  "DOUBLE",
  "NUMERIC",
  "BOOLEAN",
  "TEXT",
  "VARCHAR(9)",
  "BLOB",
  "",
];
const collations: readonly Collation[] = ["BINARY", "NOCASE", "RTRIM"];

const columnOf = await sqliteColumns();

interface Twin {
  readonly sqlite: SqliteColumn;
  readonly rules: ComparisonRules;
  readonly cells: readonly Value[];
}

const anyColumn = fc.record({
  type: fc.constantFrom(...types),
  collation: fc.constantFrom(...collations),
  values: fc.array(anyValue, { minLength: 1, maxLength: 12 }),
});
/** A column and texts to ask it for, of which some mean one of its values. */
const anyQuestion = anyColumn.chain((column) => {
  const known = fc.constantFrom(...column.values).chain(anySpelling);
  const text = fc.oneof(anyText, known);
  return fc.record({
    column: fc.constant(column),
    texts: fc.array(text, { minLength: 1, maxLength: 4 }),
    pattern: fc.oneof(anyPattern, text.chain(patternOf)),
  });
});
type AnyColumn = typeof anyColumn extends fc.Arbitrary<infer Column> ? Column : never;

/** The same column in SQLite and in our form. */
function makeTwin({ type, collation, values }: AnyColumn): Twin {
  const sqlite = columnOf(type, collation);
  sqlite.fill(values);
  const kind = affinity(type);
  return { sqlite, rules: { kind, collation }, cells: values.map((value) => fitted(value, kind)) };
}

function fitted(value: Value, kind: ComparisonRules["kind"]): Value {
  if (value === null) return null;
  const fitting = affinityFit(value, kind);
  if (!fitting.ok) throw new Error(`No column takes ${JSON.stringify(value)}.`);
  return fitting.value;
}

/** The places of the cells that pass a test, counted from 1 as the rows are. */
function placesWhere(cells: readonly Value[], passes: (cell: Value) => boolean): number[] {
  return cells.flatMap((cell, index) => (passes(cell) ? [index + 1] : []));
}

const operators = { eq: "=", ne: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

const holds: Readonly<Record<keyof typeof operators, (sign: number) => boolean>> = {
  eq: (sign) => sign === 0,
  ne: (sign) => sign !== 0,
  gt: (sign) => sign > 0,
  gte: (sign) => sign >= 0,
  lt: (sign) => sign < 0,
  lte: (sign) => sign <= 0,
};

test("stores what SQLite stores", () => {
  fc.assert(
    fc.property(anyColumn, (column) => {
      const { sqlite, rules, cells } = makeTwin(column);
      expect(cells.map((cell) => storedForm(cell, rules.kind))).toEqual(sqlite.stored());
    }),
    { numRuns: runs },
  );
});

test("compares with a text as SQLite does", () => {
  const operator = fc.constantFrom("eq", "ne", "gt", "gte", "lt", "lte");
  fc.assert(
    fc.property(anyQuestion, operator, ({ column, texts: [text = ""] }, named) => {
      const { sqlite, rules, cells } = makeTwin(column);
      const passes = compileCondition({ operator: named, value: text }, rules);
      const expected = sqlite.places(`c ${operators[named]} ?`, [text]);
      expect(placesWhere(cells, passes)).toEqual(expected);
      const sole = soleOperand(text, rules);
      if (sole === undefined) return;
      const holdsBySole = (cell: Value): boolean =>
        cell !== null && holds[named](compareOrderValues(orderValue(cell, rules), sole));
      expect(placesWhere(cells, holdsBySole)).toEqual(expected);
    }),
    { numRuns: runs },
  );
});

test("finds the texts of a list as SQLite does", () => {
  fc.assert(
    fc.property(anyQuestion, ({ column, texts: values }) => {
      const { sqlite, rules, cells } = makeTwin(column);
      const passes = compileCondition({ operator: "in", values }, rules);
      const places = values.map(() => "?").join(",");
      expect(placesWhere(cells, passes)).toEqual(sqlite.places(`c IN (${places})`, values));
    }),
    { numRuns: runs },
  );
});

test("matches patterns as SQLite's LIKE does", () => {
  fc.assert(
    fc.property(anyQuestion, ({ column, pattern: value }) => {
      const { sqlite, rules, cells } = makeTwin(column);
      const passes = compileCondition({ operator: "like", value }, rules);
      expect(placesWhere(cells, passes)).toEqual(sqlite.places("c LIKE ?", [value]));
    }),
    { numRuns: runs },
  );
});

test("sorts as SQLite does, and knows the same values as equal", () => {
  fc.assert(
    fc.property(anyColumn, (column) => {
      const { sqlite, rules, cells } = makeTwin(column);
      const keyed = cells.map((cell, index) => ({ at: index + 1, value: orderValue(cell, rules) }));
      const sorted = keyed.toSorted((left, right) => compareOrderValues(left.value, right.value));
      expect(sorted.map(({ at }) => at)).toEqual(sqlite.places("1 ORDER BY c, id"));
      const firsts = keyed.filter(({ value }, index) => {
        const key = orderKey(value);
        return (
          key !== undefined && keyed.findIndex((each) => orderKey(each.value) === key) === index
        );
      });
      expect(firsts.map(({ at }) => at)).toEqual(
        sqlite.places(
          "c IS NOT NULL AND NOT EXISTS (SELECT 1 FROM {table} b WHERE b.id < a.id AND b.c = a.c)",
        ),
      );
    }),
    { numRuns: runs },
  );
});
