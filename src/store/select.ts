import { candidateIds } from "./candidates.ts";
import { compileCondition } from "./filter.ts";
import {
  compareOrderValues,
  type ComparisonRules,
  orderValue,
  type OrderValue,
} from "./order-value.ts";
import type { Query, Sort } from "./query.ts";
import type { Row } from "./row.ts";
import type { TableLayout } from "./table-layout.ts";
import type { TableState } from "./table-state.ts";

/** The rows that a query asks for. The query's columns must exist. */
export function selectRows(state: TableState, query: Query): readonly Row[] {
  const { sort, offset = 0, limit = Infinity } = query;
  const reversed = sort?.by === "row id" && sort.descending;
  const sorted = sort !== undefined && sort.by !== "row id";
  // What is not reordered can stop at the end of the window.
  const rows = matchingRows(state, query, sorted || reversed ? Infinity : offset + limit);
  if (reversed) rows.reverse();
  const ordered = sorted ? sortRows(rows, sort, state.layout) : rows;
  return ordered.slice(offset, offset + limit);
}

/** At most `most` rows that meet the conditions, in row id order. */
function matchingRows(state: TableState, { where }: Query, most: number): Row[] {
  const passes = compileConditions({ where }, state.layout);
  const matching: Row[] = [];
  for (const row of rowsToTest(state, where)) {
    if (matching.length >= most) break;
    if (passes(row)) matching.push(row);
  }
  return matching;
}

function* rowsToTest(state: TableState, where: Query["where"]): Generator<Row> {
  const ids = candidateIds(where, state.uniques, state.layout);
  if (ids === undefined) {
    for (const [, row] of state.rows.entries()) yield row;
    return;
  }
  for (const id of ids) {
    const row = state.rows.get(id);
    if (row !== undefined) yield row;
  }
}

function compileConditions({ where }: Query, layout: TableLayout): (row: Row) => boolean {
  const tests = where.map((condition) => ({
    column: condition.column,
    passes: compileCondition(condition, rulesOf(layout, condition.column)),
  }));
  return (row) => tests.every(({ column, passes }) => passes(row[column] ?? null));
}

function rulesOf(layout: TableLayout, column: string): ComparisonRules {
  const rules = layout.rules(column);
  if (rules === undefined) {
    throw new RangeError(`Cannot query "${layout.schema.name}": there is no column "${column}".`);
  }
  return rules;
}

/** Sorts by the values of some columns; JavaScript's sort is stable, so ties stay as they were. */
function sortRows(rows: readonly Row[], { by, descending }: Sort, layout: TableLayout): Row[] {
  const columns = by === "row id" ? [] : by;
  const rules = columns.map((column) => ({ column, rules: rulesOf(layout, column) }));
  const direction = descending ? -1 : 1;
  return rows
    .map((row) => ({
      row,
      values: rules.map(({ column, rules: own }) => orderValue(row[column] ?? null, own)),
    }))
    .toSorted((left, right) => direction * compareTuples(left.values, right.values))
    .map(({ row }) => row);
}

function compareTuples(left: readonly OrderValue[], right: readonly OrderValue[]): number {
  for (const [index, value] of left.entries()) {
    const sign = compareOrderValues(value, right[index] ?? null);
    if (sign !== 0) return sign;
  }
  return 0;
}
