import { type Condition, equalOrderValues, soleOperand } from "./filter.ts";
import { orderKey, orderKeys, type OrderValue } from "./order-value.ts";
import { compareRowIds, type RowId } from "./row-id.ts";
import { rulesOf } from "./row-test.ts";
import type { SortedIndex } from "./sorted-index.ts";
import type { TableLayout } from "./table-layout.ts";
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

/** Looks for an index over one column, and may make one. */
export type IndexSource = (column: string) => SortedIndex | undefined;

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

/** The way that the conditions on one column open, if they do. */
export function accessBy(
  state: TableState,
  { column, where, source }: { column: string; where: readonly Condition[]; source: IndexSource },
): Access | undefined {
  const own = where.filter((condition) => condition.column === column);
  if (state.layout.isRowId(column)) return rowIdAccess(state, own);
  const index = source(column);
  if (index === undefined) return undefined;
  const points = equalPoints(state.layout, own);
  if (points !== undefined) {
    const ranges = points.values.map((value) => index.rangeOf(value)).filter(isFilled);
    const by = { kind: "index", index, search: "equal", ranges } as const;
    return { by, count: countOf(ranges), settled: points.settled };
  }
  const bounds = boundsOf(state.layout, own);
  if (bounds === undefined) return undefined;
  const { entries } = index;
  const { low, high } = bounds;
  const from =
    low === undefined
      ? entries.rank(null, Infinity)
      : entries.rank(low.value, low.isInside ? -Infinity : Infinity);
  const to =
    high === undefined
      ? entries.size
      : entries.rank(high.value, high.isInside ? Infinity : -Infinity);
  const ranges = [{ from, to }].filter(isFilled);
  const by = { kind: "index", index, search: "range", ranges } as const;
  return { by, count: countOf(ranges), settled: bounds.settled };
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
  const ranges = key === undefined ? [] : [index.rangeOf(key)].filter(isFilled);
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

function rowIdAccess(state: TableState, own: readonly Condition[]): Access | undefined {
  const points = equalPoints(state.layout, own);
  if (points !== undefined) {
    const ids = points.values
      .flatMap((value) => (typeof value === "number" || typeof value === "bigint" ? [value] : []))
      .filter((id) => state.row(id) !== undefined)
      .toSorted(compareRowIds);
    return { by: { kind: "ids", ids }, count: ids.length, settled: points.settled };
  }
  const bounds = boundsOf(state.layout, own);
  if (bounds === undefined) return undefined;
  const range = {
    from: rankOfBound(state, bounds.low, "low"),
    to: rankOfBound(state, bounds.high, "high"),
  };
  const isEmpty = range.from >= range.to;
  return {
    by: { kind: "rows", range: isEmpty ? { from: 0, to: 0 } : range, isAll: false },
    count: isEmpty ? 0 : range.to - range.from,
    settled: bounds.settled,
  };
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

/** The values that equality or a list leaves to a column, each once. */
function equalPoints(
  layout: TableLayout,
  own: readonly Condition[],
): { readonly values: readonly OrderValue[]; readonly settled: readonly Condition[] } | undefined {
  for (const condition of own) {
    if (condition.operator === "eq") return pointsOf(condition, [condition.value], layout);
    if (condition.operator === "in") return pointsOf(condition, condition.values, layout);
  }
  return undefined;
}

function pointsOf(
  condition: Condition,
  texts: readonly string[],
  layout: TableLayout,
): { readonly values: readonly OrderValue[]; readonly settled: readonly Condition[] } {
  const rules = rulesOf(layout, condition.column);
  const values: OrderValue[] = [];
  let isExact = true;
  for (const text of texts) {
    const sole = soleOperand(text, rules);
    if (sole === undefined) {
      isExact = false;
      values.push(...equalOrderValues(text, rules));
    } else values.push(sole);
  }
  return { values: distinct(values), settled: isExact ? [condition] : [] };
}

function distinct(values: readonly OrderValue[]): readonly OrderValue[] {
  if (values.length < 2) return values;
  return [...new Map(values.map((value) => [orderKey(value), value])).values()];
}

interface Bound {
  readonly value: OrderValue;
  /** Whether rows with the value itself are wanted. */
  readonly isInside: boolean;
}

/** Whether a bound by an operator is inside. */
const lowOperators: ReadonlyMap<string, boolean> = new Map([
  ["gt", false],
  ["gte", true],
]);
const highOperators: ReadonlyMap<string, boolean> = new Map([
  ["lt", false],
  ["lte", true],
]);

/** The first bound on each side; what further conditions on the column say is tested row by row. */
function boundsOf(
  layout: TableLayout,
  own: readonly Condition[],
):
  | {
      readonly low: Bound | undefined;
      readonly high: Bound | undefined;
      readonly settled: readonly Condition[];
    }
  | undefined {
  const settled: Condition[] = [];
  const find = (operators: ReadonlyMap<string, boolean>): Bound | undefined => {
    for (const condition of own) {
      const isInside = operators.get(condition.operator);
      if (isInside === undefined || !("value" in condition)) continue;
      const value = soleOperand(condition.value, rulesOf(layout, condition.column));
      if (value === undefined) continue;
      settled.push(condition);
      return { value, isInside };
    }
    return undefined;
  };
  const low = find(lowOperators);
  const high = find(highOperators);
  return low === undefined && high === undefined ? undefined : { low, high, settled };
}

function isFilled({ from, to }: RankRange): boolean {
  return from < to;
}

function countOf(ranges: readonly RankRange[]): number {
  let count = 0;
  for (const { from, to } of ranges) count += to - from;
  return count;
}
