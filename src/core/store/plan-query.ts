import { columnKinds } from "./column-kinds.ts";
import { byColumn, rulesOf } from "./filter.ts";
import { equalOrderValues, soleOperand } from "./operand.ts";
import { type Condition, type RangeEnd, allowedBy } from "./operators.ts";
import { type ComparisonRules, type OrderValue, orderKey, orderKeys } from "./order-value.ts";
import type { Query, Sort, SortKey } from "./table.ts";
import type { IndexDefinition, SortedIndex } from "./sorted-index.ts";
import type { RankRange } from "./sorted-tree.ts";
import type { TableLayout } from "./table-layout.ts";
import type { TableState } from "./table-state.ts";
import { type RowId, compareRowIds } from "./value.ts";

/** A way to find the rows that meet some conditions. */
export interface Access {
  /** The index that finds the rows; undefined if they are found in row id order. */
  readonly index: SortedIndex | undefined;
  /** Ranges of positions in the index, or in row id order. `equal` has one range per value. */
  readonly ranges: readonly RankRange[];
  readonly search: "equal" | "range" | "all";
  /** The number of rows found. */
  readonly count: number;
  /** Conditions that hold for all rows found. */
  readonly settled: readonly Condition[];
}

/** The direction of an access, and the direction among rows with equal keys. */
export interface Direction {
  readonly descending: boolean;
  readonly tiesDescending: boolean;
}

/** An access, and the work that remains after it. */
export interface ChosenPlan {
  readonly access: Access;
  readonly tests: readonly Condition[];
  /** How to walk the access to get the rows in order; undefined if they must be sorted. */
  readonly direction: Direction | undefined;
}

/** Below this number of rows a scan is cheaper than a new index. */
const fewRows = 128;

/** Rows of an index are scattered in memory, those of a scan are adjacent. */
const costOfLookup = 2;
const costOfSorting = 2;

export const unsorted: Sort = { by: [] };

/**
 * Chooses the cheapest way to a query's rows. Its columns must exist. Creates an index that would shorten the way,
 * and keeps it.
 */
export function planQuery(state: TableState, query: Query): ChosenPlan {
  const { where, sort = unsorted } = query;
  const accesses = narrowed(state, where);
  let fewest = Infinity;
  for (const { count } of accesses) fewest = Math.min(fewest, count);
  const sorted = indexInOrder(state.layout, sort);
  if (sorted !== undefined && fewest > fewRows) accesses.push(wholeIndex(state.index(sorted)));
  let best: ChosenPlan | undefined;
  let least = Infinity;
  for (const access of accesses) {
    const { settled } = access;
    const tests =
      settled.length === 0 ? where : where.filter((condition) => !settled.includes(condition));
    const plan = { access, tests, direction: directionOf(state.layout, access, { sort, sorted }) };
    const cost = costOf(plan, query, fewest);
    if (best !== undefined && cost >= least) continue;
    best = plan;
    least = cost;
  }
  // A scan always exists.
  return best ?? { access: scan(state), tests: where, direction: undefined };
}

/** The way to the single row that a query names by row id alone. There is nothing to choose. */
export function planByRowId(state: TableState, where: Query["where"]): ChosenPlan | undefined {
  const [first, ...others] = where;
  if (first?.operator !== "eq" || others.length > 0) return undefined;
  if (!state.layout.isRowId(first.column)) return undefined;
  const reach = pointsOf(state.layout, where);
  if (reach === undefined || reach.settled.length === 0) return undefined;
  const direction = { descending: false, tiesDescending: false };
  return { access: byRowId(state, reach), tests: [], direction };
}

/** Weighted number of rows to visit. `fewest` is the least that some access finds, so no more rows can match. */
function costOf(
  { access, tests, direction }: ChosenPlan,
  { offset = 0, limit = Infinity }: Query,
  fewest: number,
): number {
  const weight = access.index === undefined && access.search !== "equal" ? 1 : costOfLookup;
  const { count } = access;
  if (count === 0) return 0;
  if (direction === undefined) return count * (weight + costOfSorting);
  const wanted = tests.length === 0 ? limit : offset + limit;
  const looked = tests.length === 0 ? wanted : (wanted * count) / Math.max(fewest, 1);
  return weight * Math.min(count, looked);
}

/** How to walk an access to get its rows in order. */
function directionOf(
  layout: TableLayout,
  { index, ranges, search }: Access,
  { sort, sorted }: { readonly sort: Sort; readonly sorted: IndexDefinition | undefined },
): Direction | undefined {
  const { rowIdDescending = false } = sort;
  const { column, descending } = sort.by[0] ?? { column: undefined, descending: rowIdDescending };
  // The rows under one key of an index are in row id order.
  if (column === undefined || layout.isRowId(column)) {
    const isInOrder =
      index === undefined || ranges.length === 0 || (search === "equal" && ranges.length === 1);
    return isInOrder ? { descending, tiesDescending: descending } : undefined;
  }
  if (index === undefined || index.definition.columns.length > 1) return undefined;
  if (index.definition.columns[0] !== sorted?.columns[0]) return undefined;
  if (search === "equal" && ranges.length > 1) return undefined;
  return { descending, tiesDescending: rowIdDescending };
}

/** The index with the query's order; undefined where none is possible. */
function indexInOrder(layout: TableLayout, { by }: Sort): IndexDefinition | undefined {
  const [key, ...others] = by;
  if (key === undefined || others.length > 0 || layout.isRowId(key.column)) return undefined;
  return hasOtherOrder(layout, key) ? undefined : indexOver(layout, key.column);
}

/** Whether a key sorts by another collation than its column's, which the column's index uses. */
function hasOtherOrder(layout: TableLayout, { column, collate }: SortKey): boolean {
  return collate !== undefined && collate !== rulesOf(layout, column).collation;
}

function indexOver(layout: TableLayout, column: string): IndexDefinition | undefined {
  const rules = rulesOf(layout, column);
  return columnKinds[rules.kind].isDocument ? undefined : { columns: [column], rules: [rules] };
}

/** The possible accesses: a scan, and those that the conditions allow, the cheapest to evaluate first. */
function narrowed(state: TableState, where: readonly Condition[]): Access[] {
  const { layout } = state;
  const accesses = [scan(state)];
  for (const index of state.uniques) {
    const access =
      index.definition.columns.length < 2 ? undefined : byUniqueKey(state, index, where);
    if (access !== undefined) accesses.push(access);
  }
  let wanted: { readonly reach: ColumnReach; readonly index: IndexDefinition } | undefined;
  for (const conditions of byColumn(where)) {
    const [{ column }] = conditions;
    const reach = pointsOf(layout, conditions) ?? rangeOf(layout, conditions);
    if (reach === undefined) continue;
    if (layout.isRowId(column)) accesses.push(byRowId(state, reach));
    else {
      const index = indexOver(layout, column);
      const existing = index && state.existingIndex(index);
      if (existing !== undefined) accesses.push(byIndex(existing, reach));
      else if (index !== undefined) wanted ??= { reach, index };
    }
  }
  // A query creates at most one index, since creating several would take seconds.
  if (wanted !== undefined && accesses.every(({ count }) => count > fewRows)) {
    accesses.push(byIndex(state.index(wanted.index), wanted.reach));
  }
  return accesses;
}

/** An end of a range. */
interface Bound {
  readonly value: OrderValue;
  /** Whether the range includes the bound itself. */
  readonly isInside: boolean;
}

/** The values of a column that the conditions on it allow. */
type ColumnReach = (
  | { readonly kind: "points"; readonly values: readonly OrderValue[] }
  | { readonly kind: "range"; readonly low: Bound | undefined; readonly high: Bound | undefined }
) & {
  /** Conditions that hold for all of these rows. */
  readonly settled: readonly Condition[];
};

/** The distinct values that one of the conditions allows. */
function pointsOf(layout: TableLayout, own: readonly Condition[]): ColumnReach | undefined {
  for (const condition of own) {
    const allowed = allowedBy(condition);
    if (allowed?.kind !== "points") continue;
    const rules = rulesOf(layout, condition.column);
    const values: OrderValue[] = [];
    let isExact = true;
    for (const text of allowed.texts) {
      const sole = soleOperand(text, rules);
      if (sole === undefined) isExact = false;
      values.push(...(sole === undefined ? equalOrderValues(text, rules) : [sole]));
    }
    return { kind: "points", values: distinct(values), settled: isExact ? [condition] : [] };
  }
  return undefined;
}

function distinct(values: readonly OrderValue[]): readonly OrderValue[] {
  if (values.length < 2) return values;
  return [...new Map(values.map((value) => [orderKey(value), value])).values()];
}

/** The first bound on each side. Further conditions on the column are tested row by row. */
function rangeOf(layout: TableLayout, own: readonly Condition[]): ColumnReach | undefined {
  let low: Bound | undefined;
  let high: Bound | undefined;
  const settled: Condition[] = [];
  for (const condition of own) {
    const allowed = allowedBy(condition);
    if (allowed?.kind !== "range") continue;
    const rules = rulesOf(layout, condition.column);
    const from = boundAt(allowed.low, rules);
    const to = boundAt(allowed.high, rules);
    low ??= from;
    high ??= to;
    const isSettled =
      (allowed.low === undefined || (from !== undefined && low === from)) &&
      (allowed.high === undefined || (to !== undefined && high === to));
    if (isSettled) settled.push(condition);
  }
  return low === undefined && high === undefined
    ? undefined
    : { kind: "range", low, high, settled };
}

/** The value at an end of a range; undefined if the filter's text stands for several values. */
function boundAt(end: RangeEnd | undefined, rules: ComparisonRules): Bound | undefined {
  const value = end && soleOperand(end.text, rules);
  return end === undefined || value === undefined ? undefined : { value, isInside: end.isInside };
}

/** All rows, in row id order. */
function scan({ rows: { size } }: TableState): Access {
  return accessBy(undefined, { search: "all", ranges: [{ from: 0, to: size }], settled: [] });
}

/** All rows in the order of an index. */
function wholeIndex(index: SortedIndex): Access {
  const ranges = [{ from: 0, to: index.entries.size }];
  return accessBy(index, { search: "all", ranges, settled: [] });
}

function accessBy(
  index: SortedIndex | undefined,
  { search, ranges, settled }: Pick<Access, "search" | "ranges" | "settled">,
): Access {
  let count = 0;
  for (const { from, to } of ranges) count += Math.max(0, to - from);
  const filled =
    count > 0 && ranges.length === 1 ? ranges : ranges.filter(({ from, to }) => from < to);
  return { index, ranges: filled, search, count, settled };
}

/** The rows that conditions on the row id allow. */
function byRowId(state: TableState, reach: ColumnReach): Access {
  const { settled } = reach;
  if (reach.kind === "range") {
    const from = rankOfBound(state, reach.low, "low");
    const to = rankOfBound(state, reach.high, "high");
    return accessBy(undefined, { search: "range", ranges: [{ from, to }], settled });
  }
  const ranges = reach.values
    .filter((value): value is RowId => typeof value === "number" || typeof value === "bigint")
    .toSorted(compareRowIds)
    .flatMap((id) => {
      const from = state.rows.rank(id, {});
      return state.row(id) === undefined ? [] : [{ from, to: from + 1 }];
    });
  return accessBy(undefined, { search: "equal", ranges, settled });
}

function rankOfBound(state: TableState, bound: Bound | undefined, side: "low" | "high"): number {
  if (bound === undefined || bound.value === null) return side === "low" ? 0 : state.rows.size;
  const { value, isInside } = bound;
  // Every text and every blob is greater than every number.
  if (typeof value !== "number" && typeof value !== "bigint") return state.rows.size;
  const isBelow = side === "low" ? isInside : !isInside;
  const rank = state.rows.rank(value, {});
  return !isBelow && state.row(value) !== undefined ? rank + 1 : rank;
}

/** The rows that conditions on a column allow, by an index over it. */
function byIndex(index: SortedIndex, reach: ColumnReach): Access {
  const { settled } = reach;
  if (reach.kind === "points") {
    const ranges = reach.values.map((value) => index.rangeOf(value));
    return accessBy(index, { search: "equal", ranges, settled });
  }
  const { entries } = index;
  const { low = { value: null, isInside: false }, high } = reach;
  const from = entries.rank(low.value, low.isInside ? -Infinity : Infinity);
  const to =
    high === undefined
      ? entries.size
      : entries.rank(high.value, high.isInside ? Infinity : -Infinity);
  return accessBy(index, { search: "range", ranges: [{ from, to }], settled });
}

/** The row that equality on all columns of a unique key allows. */
function byUniqueKey(
  { layout }: TableState,
  index: SortedIndex,
  where: readonly Condition[],
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
  const ranges = key === undefined ? [] : [index.rangeOf(key)];
  return accessBy(index, { search: "equal", ranges, settled });
}
