import { rulesOf, soleOperand } from "./filter.ts";
import type { Condition } from "./operators.ts";
import { type OrderValue, orderKeys } from "./order-value.ts";
import {
  type Bound,
  type ColumnReach,
  type ConditionedColumn,
  type PreparedQuery,
  hasOtherOrder,
  unsorted,
} from "./prepared-query.ts";
import type { Query, Sort } from "./query.ts";
import type { IndexDefinition, SortedIndex } from "./sorted-index.ts";
import type { TableState } from "./table-state.ts";
import type { RankRange } from "./tree/search.ts";
import { type RowId, compareRowIds } from "./value.ts";

/** An access, with what is left to do after it. */
export interface ChosenPlan {
  readonly access: Access;
  readonly tests: readonly Condition[];
  /** How to walk the access so that rows come in order; undefined when they must be sorted. */
  readonly direction: Direction | undefined;
}

/** Fewer rows are looked at one by one sooner than an index is made for them. */
const fewRows = 128;

/** Rows found through an index lie anywhere; those of a scan lie side by side. */
const costOfLookup = 2;
const costOfSorting = 2;

/** Chooses the cheapest way to a query's rows. Indexes are made when they would shorten it, and stay. */
export function planQuery(state: TableState, query: Query, prepared: PreparedQuery): ChosenPlan {
  const { where, sort = unsorted } = query;
  const accesses = narrowed(state, where, prepared.columns);
  let fewest = Infinity;
  for (const { count } of accesses) fewest = Math.min(fewest, count);
  if (fewest > fewRows) {
    const { sortIndex } = prepared;
    if (sortIndex !== undefined) accesses.push(indexAccess(state.index(sortIndex)));
  }
  let best: ChosenPlan | undefined;
  let least = Infinity;
  for (const access of accesses) {
    const tests = unsettled(where, access);
    const plan = { access, tests, direction: directionOf(state, access, sort) };
    const cost = costOf(plan, query, fewest);
    if (best === undefined || cost < least) {
      best = plan;
      least = cost;
    }
  }
  // There is always the scan.
  return best ?? { access: scanAccess(state), tests: where, direction: undefined };
}

/** The conditions that are still to be tested. */
function unsettled(where: readonly Condition[], { settled }: Access): readonly Condition[] {
  if (settled.length === 0) return where;
  // All of them, mostly.
  if (settled.length === where.length) return [];
  return where.filter((condition) => !settled.includes(condition));
}

/** A scan, and the ways that the conditions open: those that cost nothing to look at first. */
function narrowed(
  state: TableState,
  where: readonly Condition[],
  columns: readonly ConditionedColumn[],
): Access[] {
  const accesses = [scanAccess(state)];
  for (const index of state.uniques) {
    if (index.definition.columns.length < 2) continue;
    const access = uniqueAccess(state, { index, where });
    if (access !== undefined) accesses.push(access);
  }
  let wanted: { readonly reach: ColumnReach; readonly index: IndexDefinition } | undefined;
  for (const { isRowId, reach, index } of columns) {
    if (reach === undefined) continue;
    if (isRowId) accesses.push(rowIdAccess(state, reach));
    else if (index !== undefined) {
      const existing = state.existingIndex(index);
      if (existing !== undefined) accesses.push(columnAccess(existing, reach));
      else wanted ??= { reach, index };
    }
  }
  // One index is made for a query at most: with those of many columns it would wait for seconds.
  if (wanted !== undefined && accesses.every(({ count }) => count > fewRows)) {
    accesses.push(columnAccess(state.index(wanted.index), wanted.reach));
  }
  return accesses;
}

/** Whether rows are found by ascending row ids: all but those under several keys of an index are. */
function isInRowIdOrder(by: Access["by"]): boolean {
  if (by.kind !== "index" || by.ranges.length === 0) return true;
  return by.search === "equal" && by.ranges.length === 1;
}

/** How to walk an access so that its rows come in order. */
function directionOf(
  state: TableState,
  { by }: Access,
  { by: keys, rowIdDescending = false }: Sort,
): Direction | undefined {
  const [key, ...others] = keys;
  const sortsById = key === undefined || state.layout.isRowId(key.column);
  if (sortsById) {
    const descending = key === undefined ? rowIdDescending : key.descending;
    return isInRowIdOrder(by) ? { descending, tiesDescending: descending } : undefined;
  }
  if (by.kind !== "index" || others.length > 0 || hasOtherOrder(state.layout, key))
    return undefined;
  const { columns } = by.index.definition;
  if (columns.length > 1 || columns[0] !== key.column) return undefined;
  if (by.search === "equal" && by.ranges.length > 1) return undefined;
  return { descending: key.descending, tiesDescending: rowIdDescending };
}

/** Rows to look at, weighted. `fewest` is the least that some access finds, so no more rows can match. */
function costOf(
  { access, tests, direction }: ChosenPlan,
  { offset = 0, limit = Infinity }: Query,
  fewest: number,
): number {
  const weight = access.by.kind === "rows" ? 1 : costOfLookup;
  const { count } = access;
  if (direction === undefined) return count * (weight + costOfSorting);
  const wanted = tests.length === 0 ? limit : offset + limit;
  const looked = tests.length === 0 ? wanted : (wanted * count) / Math.max(fewest, 1);
  return weight * Math.min(count, looked);
}

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
function scanAccess({ rows }: TableState): Access {
  const range = { from: 0, to: rows.size };
  return { by: { kind: "rows", range, isAll: true }, count: rows.size, settled: [] };
}

/** All rows in the order of an index. */
function indexAccess(index: SortedIndex): Access {
  const { size } = index.entries;
  return {
    by: { kind: "index", index, search: "all", ranges: [{ from: 0, to: size }] },
    count: size,
    settled: [],
  };
}

/** The row ids that conditions on a column leave. */
function rowIdAccess(state: TableState, reach: ColumnReach): Access {
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
function columnAccess(index: SortedIndex, reach: ColumnReach): Access {
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
function uniqueAccess(
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
