import { type RowTest, compileTest, rulesOf, soleOperand } from "./filter.ts";
import { type OrderValue, compareOrderValues } from "./order-value.ts";
import {
  type Access,
  type ChosenPlan,
  type Direction,
  planQuery,
  withoutFirst,
} from "./plan-query.ts";
import { prepareQuery } from "./prepared-query.ts";
import type { Query, QueryPlan } from "./query.ts";
import { FirstRows, type RowSorter, type SortedRow } from "./row-sort.ts";
import type { SortedIndex } from "./sorted-index.ts";
import type { TableState } from "./table-state.ts";
import { elementAt } from "./tree/node.ts";
import type { RankRange } from "./tree/search.ts";
import type { Row, RowId } from "./value.ts";

/** The rows that a query asks for. The query's columns must exist. */
export function selectRows(state: TableState, query: Query): readonly Row[] {
  const sole = rowsByKey(state, query);
  if (sole !== undefined) return sole;
  const { limit = Infinity } = query;
  const prepared = prepareQuery(state.layout, query);
  const plan = planQuery(state, query, prepared);
  const test = plan.tests.length === 0 ? undefined : compileTest(plan.tests, state.layout);
  if (limit <= 0) return [];
  return plan.direction === undefined
    ? sortedRows(state, { plan, query, test }, prepared.sorter)
    : walkedRows(state, { plan, query, test, direction: plan.direction });
}

/** The row that a query names by its row id and by nothing else, as every GET by key does: that needs no plan. */
function rowsByKey(state: TableState, query: Query): readonly Row[] | undefined {
  const id = soleRowId(state, query);
  if (id === undefined) return undefined;
  const row = state.row(id);
  return row === undefined ? [] : [row];
}

function soleRowId(
  { layout }: TableState,
  { where, offset = 0, limit = 1 }: Query,
): RowId | undefined {
  const [condition, ...others] = where;
  if (condition?.operator !== "eq" || others.length > 0) return undefined;
  const { column, value } = condition;
  if (offset > 0 || limit < 1 || !layout.isRowId(column)) return undefined;
  const id = soleOperand(value, rulesOf(layout, column));
  return typeof id === "number" || typeof id === "bigint" ? id : undefined;
}

/** How {@link selectRows} would find the rows. */
export function explainQuery(state: TableState, query: Query): QueryPlan {
  const id = soleRowId(state, query);
  if (id !== undefined) {
    const candidates = state.row(id) === undefined ? 0 : 1;
    return { access: { by: "row id", search: "equal" }, candidates, tests: [], order: "as found" };
  }
  const { access, tests, direction } = planQuery(state, query, prepareQuery(state.layout, query));
  const end = windowEnd(query);
  const sorts = direction === undefined;
  return {
    access: describeAccess(access),
    candidates: access.count,
    tests,
    order: sorts ? (keepsFirst(access, end) ? { first: end } : "sorted") : "as found",
  };
}

function describeAccess({ by }: ChosenPlan["access"]): QueryPlan["access"] {
  switch (by.kind) {
    case "rows":
      return by.isAll ? { by: "scan" } : { by: "row id", search: "range" };
    case "ids":
      return { by: "row id", search: "equal" };
    case "index":
      return { by: "index", columns: by.index.definition.columns, search: by.search };
  }
}

interface Run {
  readonly plan: ChosenPlan;
  readonly query: Query;
  /** What is still to be tested; undefined when all rows found match. */
  readonly test: RowTest | undefined;
}

function windowEnd({ offset = 0, limit = Infinity }: Query): number {
  return offset + limit;
}

/** Takes the window out of rows that are found in order. */
function walkedRows(
  state: TableState,
  { plan, query, test, direction }: Run & { readonly direction: Direction },
): readonly Row[] {
  const { limit = Infinity } = query;
  const rows: Row[] = [];
  const offset = query.offset ?? 0;
  // Where every row found matches, those before the window need no look.
  const shortened = test === undefined ? withoutFirst(plan.access, offset, direction) : undefined;
  let toSkip = test === undefined ? 0 : offset;
  const take = (row: Row, id: RowId): boolean => {
    if (test !== undefined && !test(row, id)) return true;
    if (toSkip > 0) {
      toSkip--;
      return true;
    }
    rows.push(row);
    return rows.length < limit;
  };
  const passed = test === undefined && shortened === undefined ? offset : 0;
  walk(state, shortened ?? plan.access, { direction, visitor: { offset: passed, take } });
  return rows;
}

/** To keep the first rows in order takes longer than to sort all where there are many of them. */
const mostFirst = 1000;

function keepsFirst({ count }: ChosenPlan["access"], end: number): boolean {
  return end < count && end <= mostFirst;
}

/** Puts the rows that are found in order, or only as many as the window ends with. */
function sortedRows(
  state: TableState,
  { plan, query, test }: Run,
  sorter: RowSorter,
): readonly Row[] {
  const end = windowEnd(query);
  const entries = keepsFirst(plan.access, end)
    ? firstEntries(state, { plan, query, test }, sorter)
    : allEntries(state, { plan, query, test }, sorter);
  return entries.slice(query.offset ?? 0, end).map(({ row }) => row);
}

const asFound: Direction = { descending: false, tiesDescending: false };

function firstEntries(
  state: TableState,
  { plan, query, test }: Run,
  { entry, compare }: RowSorter,
): readonly SortedRow[] {
  const first = new FirstRows(windowEnd(query), compare);
  walk(state, plan.access, {
    direction: asFound,
    visitor: {
      offset: 0,
      take: (row, id) => {
        if (test === undefined || test(row, id)) first.offer(entry(row, id));
        return true;
      },
    },
  });
  return first.rows;
}

function allEntries(
  state: TableState,
  { plan, test }: Run,
  { entry, compare }: RowSorter,
): readonly SortedRow[] {
  const entries: SortedRow[] = [];
  walk(state, plan.access, {
    direction: asFound,
    visitor: {
      offset: 0,
      take: (row, id) => {
        if (test === undefined || test(row, id)) entries.push(entry(row, id));
        return true;
      },
    },
  });
  return entries.toSorted(compare);
}

/** What is done with the rows that a walk comes to. */
interface RowVisitor {
  /**
   * How many rows are still to be passed over without a look at them. The walk counts them down; in row id order there
   * are none, since a range of rows begins where it is to begin.
   */
  offset: number;
  /** Takes a row, and says whether the next one is wanted. */
  readonly take: (row: Row, id: RowId) => boolean;
}

/** Visits the rows that an access finds, from the first one or from the last. */
function walk(
  state: TableState,
  { by }: Access,
  { direction, visitor }: { readonly direction: Direction; readonly visitor: RowVisitor },
): void {
  switch (by.kind) {
    case "rows":
      walkRows(state, by.range, { direction, visitor });
      return;
    case "ids":
      for (const id of direction.descending ? by.ids.toReversed() : by.ids) {
        if (!visitById(state, id, visitor)) return;
      }
      return;
    case "index":
      for (const range of direction.descending ? by.ranges.toReversed() : by.ranges) {
        if (!walkIndex(state, { index: by.index, range, direction, visitor })) return;
      }
  }
}

function visitById(state: TableState, id: RowId, visitor: RowVisitor): boolean {
  if (visitor.offset > 0) {
    visitor.offset--;
    return true;
  }
  const row = state.row(id);
  return row === undefined || visitor.take(row, id);
}

function walkRows(
  { rows }: TableState,
  range: RankRange,
  { direction, visitor }: { readonly direction: Direction; readonly visitor: RowVisitor },
): void {
  if (direction.descending) {
    rows.visitBackward(range, (ids, found, { start, end }) => {
      for (let at = end - 1; at >= start; at--) {
        if (!visitor.take(elementAt(found, at), elementAt(ids, at))) return false;
      }
      return true;
    });
    return;
  }
  rows.visit(range, (ids, found, { start, end }) => {
    for (let at = start; at < end; at++) {
      if (!visitor.take(elementAt(found, at), elementAt(ids, at))) return false;
    }
    return true;
  });
}

interface IndexWalk {
  readonly index: SortedIndex;
  readonly range: RankRange;
  readonly direction: Direction;
  readonly visitor: RowVisitor;
}

function walkIndex(state: TableState, { index, range, direction, visitor }: IndexWalk): boolean {
  const { descending, tiesDescending } = direction;
  if (descending !== tiesDescending) return walkGroups(state, { index, range, direction, visitor });
  if (descending) {
    return index.entries.visitBackward(range, (_, ids, { start, end }) => {
      for (let at = end - 1; at >= start; at--) {
        if (!visitById(state, elementAt(ids, at), visitor)) return false;
      }
      return true;
    });
  }
  return index.entries.visit(range, (_, ids, { start, end }) => {
    for (let at = start; at < end; at++) {
      if (!visitById(state, elementAt(ids, at), visitor)) return false;
    }
    return true;
  });
}

/** Rows with equal keys are kept until the key changes; of more than these the index is asked once more. */
const mostKept = 32;

/** Walks keys in one direction, and the rows of each key in the other. */
function walkGroups(state: TableState, { index, range, direction, visitor }: IndexWalk): boolean {
  const { descending } = direction;
  const inner = { descending: !descending, tiesDescending: !descending };
  let rest = range;
  while (rest.from < rest.to) {
    const large = walkSmallGroups(state, { index, range: rest, direction, visitor });
    if (typeof large === "boolean") return large;
    const group = index.rangeOf(large.key);
    if (!walkIndex(state, { index, range: group, direction: inner, visitor })) return false;
    rest = descending ? { from: rest.from, to: group.from } : { from: group.to, to: rest.to };
  }
  return true;
}

/** Walks groups that can be kept. Gives the key of the first one that cannot, else whether more rows are wanted. */
function walkSmallGroups(
  state: TableState,
  { index, range, direction, visitor }: IndexWalk,
): boolean | { readonly key: OrderValue } {
  const group = new KeptGroup(state, visitor);
  const visit = direction.descending ? "visitBackward" : "visit";
  const wantsMore = index.entries[visit](range, (keys, ids, { start, end }) => {
    for (let at = 0; at < end - start; at++) {
      const place = direction.descending ? end - 1 - at : start + at;
      if (!group.take(elementAt(keys, place), elementAt(ids, place))) return false;
    }
    return true;
  });
  if (group.isFull) return { key: group.key };
  return wantsMore && group.flush();
}

/** Rows with equal keys, kept until all of them are there, to be visited from the last one on. */
class KeptGroup {
  readonly #state: TableState;
  readonly #visitor: RowVisitor;
  readonly #ids: RowId[] = [];
  key: OrderValue = null;

  constructor(state: TableState, visitor: RowVisitor) {
    this.#state = state;
    this.#visitor = visitor;
  }

  get isFull(): boolean {
    return this.#ids.length === mostKept;
  }

  /** Adds a row, after those of another key were visited. False when no more are wanted, or can be kept. */
  take(key: OrderValue, id: RowId): boolean {
    if (this.#ids.length > 0 && compareOrderValues(this.key, key) !== 0 && !this.flush()) {
      return false;
    }
    this.key = key;
    this.#ids.push(id);
    return !this.isFull;
  }

  /** Visits the rows kept. False when no more are wanted. */
  flush(): boolean {
    for (let id = this.#ids.pop(); id !== undefined; id = this.#ids.pop()) {
      if (!visitById(this.#state, id, this.#visitor)) return false;
    }
    return true;
  }
}
