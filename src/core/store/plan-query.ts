import {
  type Access,
  columnAccess,
  type Direction,
  indexAccess,
  rowIdAccess,
  scanAccess,
  uniqueAccess,
} from "./access.ts";
import type { Condition } from "./operators.ts";
import {
  type ColumnReach,
  type ConditionedColumn,
  hasOtherOrder,
  type PreparedQuery,
  unsorted,
} from "./prepared-query.ts";
import type { Query, Sort } from "./query.ts";
import type { IndexDefinition } from "./sorted-index.ts";
import type { TableState } from "./table-state.ts";

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
