import { soleOperand } from "./filter.ts";
import type { Condition } from "./operators.ts";
import { orderKeys, type OrderValue } from "./order-value.ts";
import type { Bound, ColumnReach } from "./prepared-query.ts";
import { type RowId, compareRowIds } from "./value.ts";
import { rulesOf } from "./row-test.ts";
import type { SortedIndex } from "./sorted-index.ts";
import type { TableState } from "./table-state.ts";
import type { RankRange } from "./tree/visit.ts";

/** In which direction an access is walked, and in which one the rows with equal keys among themselves. */
export interface Direction {
  readonly descending: boolean;
  readonly tiesDescending: boolean;
}

/** A way to find the rows for which some conditions can hold. */
export interface Access {
  readonly by:
    | { readonly kind: "rows"; readonly range: RankRange; readonly isAll: boolean }
    | { readonly kind: "ids"; readonly ids: readonly RowId[] }
    | {
        readonly kind: "index";
        readonly index: SortedIndex;
        readonly search: "equal" | "range" | "all";
        readonly ranges: readonly RankRange[];
      };
  /** How many rows it finds. */
  readonly count: number;
  /** Conditions that hold for all rows found. */
  readonly settled: readonly Condition[];
}

/** All rows, in row id order. */
export function scanAccess({ rows }: TableState): Access {
  const range = { from: 0, to: rows.size };
  return { by: { kind: "rows", range, isAll: true }, count: rows.size, settled: [] };
}

/** All rows in the order of an index. */
export function indexAccess(index: SortedIndex): Access {
  const { size } = index.entries;
  return {
    by: { kind: "index", index, search: "all", ranges: [{ from: 0, to: size }] },
    count: size,
    settled: [],
  };
}

/** The row ids that conditions on a column leave. */
export function rowIdAccess(state: TableState, reach: ColumnReach): Access {
  const { settled } = reach;
  if (reach.kind === "points") {
    const ids = reach.values
      .flatMap((value) => (typeof value === "number" || typeof value === "bigint" ? [value] : []))
      .filter((id) => state.row(id) !== undefined)
      .toSorted(compareRowIds);
    return { by: { kind: "ids", ids }, count: ids.length, settled };
  }
  const from = rankOfBound(state, reach.low, "low");
  const to = rankOfBound(state, reach.high, "high");
  const range = from < to ? { from, to } : { from: 0, to: 0 };
  return { by: { kind: "rows", range, isAll: false }, count: range.to - range.from, settled };
}

/** The rows that conditions on a column leave, by an index over it. */
export function columnAccess(index: SortedIndex, reach: ColumnReach): Access {
  const { settled } = reach;
  const isRange = reach.kind === "range";
  const ranges = isRange ? filled(boundedRange(index, reach)) : pointRanges(index, reach.values);
  const search = isRange ? "range" : "equal";
  return { by: { kind: "index", index, search, ranges }, count: countOf(ranges), settled };
}

function pointRanges(index: SortedIndex, values: readonly OrderValue[]): readonly RankRange[] {
  const [only] = values;
  // Lists are rare, and most of what is asked for is there.
  if (values.length === 1 && only !== undefined) return filled(index.rangeOf(only));
  return values.flatMap((value) => filled(index.rangeOf(value)));
}

function boundedRange(
  { entries }: SortedIndex,
  { low, high }: { readonly low: Bound | undefined; readonly high: Bound | undefined },
): RankRange {
  const from =
    low === undefined
      ? entries.rank(null, Infinity)
      : entries.rank(low.value, low.isInside ? -Infinity : Infinity);
  const to =
    high === undefined
      ? entries.size
      : entries.rank(high.value, high.isInside ? Infinity : -Infinity);
  return { from, to };
}

/** The way that equality with all columns of a unique key opens. */
export function uniqueAccess(
  { layout }: TableState,
  { index, where }: { readonly index: SortedIndex; readonly where: readonly Condition[] },
): Access | undefined {
  const settled: Condition[] = [];
  const values: OrderValue[] = [];
  for (const [at, column] of index.definition.columns.entries()) {
    const condition = where.find((one) => one.column === column && one.operator === "eq");
    const rules = index.definition.rules[at];
    if (condition?.operator !== "eq" || rules === undefined) return undefined;
    // The condition compares by the column's own collation.
    if (rules.collation !== rulesOf(layout, column).collation) return undefined;
    const value = soleOperand(condition.value, rules);
    if (value === undefined) return undefined;
    values.push(value);
    settled.push(condition);
  }
  const key = orderKeys(values);
  const ranges = key === undefined ? [] : filled(index.rangeOf(key));
  const by = { kind: "index", index, search: "equal", ranges } as const;
  return { by, count: countOf(ranges), settled };
}

/** An access that begins some rows later; undefined where those cannot be told without a look at them. */
export function withoutFirst(
  access: Access,
  count: number,
  { descending, tiesDescending }: Direction,
): Access | undefined {
  const { by } = access;
  if (by.kind === "ids" || descending !== tiesDescending) return undefined;
  const [range, ...others] = by.kind === "rows" ? [by.range] : by.ranges;
  if (range === undefined || others.length > 0) return undefined;
  const rest = descending
    ? { from: range.from, to: Math.max(range.to - count, range.from) }
    : { from: Math.min(range.from + count, range.to), to: range.to };
  const left = { ...access, count: rest.to - rest.from };
  return by.kind === "rows"
    ? { ...left, by: { ...by, range: rest } }
    : { ...left, by: { ...by, ranges: [rest] } };
}

function rankOfBound({ rows }: TableState, bound: Bound | undefined, side: "low" | "high"): number {
  if (bound === undefined || bound.value === null) return side === "low" ? 0 : rows.size;
  const { value, isInside } = bound;
  // Every text, and every blob, is greater than every number.
  if (typeof value !== "number" && typeof value !== "bigint") return rows.size;
  const isBelow = side === "low" ? isInside : !isInside;
  const rank = rows.rank(value, {});
  return !isBelow && rows.find(value, {}) !== undefined ? rank + 1 : rank;
}

function filled(range: RankRange): readonly RankRange[] {
  return range.from < range.to ? [range] : [];
}

function countOf(ranges: readonly RankRange[]): number {
  let count = 0;
  for (const { from, to } of ranges) count += to - from;
  return count;
}
