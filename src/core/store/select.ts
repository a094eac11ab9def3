import { compileTest, rulesOf, cellOf } from "./filter.ts";
import { soleOperand } from "./operand.ts";
import { type OrderValue, compareOrderValues, orderValue } from "./order-value.ts";
import { type Access, type Direction, planByRowId, planQuery, unsorted } from "./plan-query.ts";
import type { Query, QueryPlan, Sort, SortKey } from "./table.ts";
import type { SortedIndex } from "./sorted-index.ts";
import { type RankRange, type Visitor, elementAt } from "./sorted-tree.ts";
import type { TableState } from "./table-state.ts";
import { type Row, type RowId, compareRowIds } from "./value.ts";
import type { TableLayout } from "./table-layout.ts";

/** The rows that a query asks for. The query's columns must exist. */
export function selectRows(state: TableState, query: Query): readonly Row[] {
  const sole = rowsById(state, query);
  if (sole !== undefined) return sole;
  const { sort = unsorted, offset = 0, limit = Infinity } = query;
  const { access, tests, direction } = planQuery(state, query);
  const test = compileTest(tests, state.layout);
  if (limit <= 0) return [];
  if (direction === undefined) {
    const { entry, compare } = rowSorter(sort, state.layout);
    const first = new FirstRows(offset + limit, compare);
    walk(state, { access, direction: inAnyOrder, skip: 0 }, (id, row) => {
      if (test === undefined || test(row, id)) first.offer(entry(row, id));
      return true;
    });
    return first.rows.slice(offset).map(({ row }) => row);
  }
  const rows: Row[] = [];
  let toSkip = test === undefined ? 0 : offset;
  walk(state, { access, direction, skip: offset - toSkip }, (id, row) => {
    if (test !== undefined && !test(row, id)) return true;
    if (toSkip > 0) toSkip--;
    else rows.push(row);
    return rows.length < limit;
  });
  return rows;
}

/**
 * The row that a query names by row id alone, as every GET by key does. Planning such a query would take a tenth of
 * the GET.
 */
function rowsById(
  state: TableState,
  { where, offset = 0, limit = 1 }: Query,
): readonly Row[] | undefined {
  const [condition] = where;
  if (condition?.operator !== "eq" || where.length > 1 || offset > 0 || limit < 1) return undefined;
  const { column, value } = condition;
  if (!state.layout.isRowId(column)) return undefined;
  const id = soleOperand(value, rulesOf(state.layout, column));
  if (typeof id !== "number" && typeof id !== "bigint") return undefined;
  const row = state.row(id);
  return row === undefined ? [] : [row];
}

/** How {@link selectRows} would find the rows. */
export function explainQuery(state: TableState, query: Query): QueryPlan {
  const { offset = 0, limit = Infinity } = query;
  const { access, tests, direction } = planByRowId(state, query.where) ?? planQuery(state, query);
  const { index, search, count: candidates } = access;
  const first = offset + limit;
  const sorted = first < candidates ? { first } : "sorted";
  const rest = { candidates, tests, order: direction === undefined ? sorted : "as found" } as const;
  if (index !== undefined) {
    return { access: { by: "index", columns: index.definition.columns, search }, ...rest };
  }
  return { access: search === "all" ? { by: "scan" } : { by: "row id", search }, ...rest };
}

const inAnyOrder: Direction = { descending: false, tiesDescending: false };

/**
 * Collects rows and keeps the first ones in order. Sorts whenever it has twice as many, and from then on drops rows
 * that come after the last kept one.
 */
class FirstRows {
  readonly #most: number;
  readonly #compare: RowSorter["compare"];
  readonly #kept: SortedRow[] = [];
  #last: SortedRow | undefined;

  constructor(most: number, compare: RowSorter["compare"]) {
    this.#most = most;
    this.#compare = compare;
  }

  /** The rows kept, in order. */
  get rows(): readonly SortedRow[] {
    this.#cut();
    return this.#kept;
  }

  offer(row: SortedRow): void {
    if (this.#last !== undefined && this.#compare(row, this.#last) >= 0) return;
    this.#kept.push(row);
    if (this.#kept.length >= 2 * this.#most) this.#cut();
  }

  #cut(): void {
    this.#kept.sort(this.#compare);
    if (this.#kept.length < this.#most) return;
    this.#kept.length = this.#most;
    this.#last = this.#kept.at(-1);
  }
}

interface Walk {
  readonly access: Access;
  readonly direction: Direction;
  /** The number of rows that are skipped unseen. */
  readonly skip: number;
}

/** Visits the rows that an access finds. */
function walk(
  state: TableState,
  { access, direction, skip }: Walk,
  take: Visitor<RowId, Row>,
): void {
  const { index, ranges } = access;
  const { descending, tiesDescending } = direction;
  let toSkip = skip;
  const takeEntry = (_: OrderValue, id: RowId): boolean => {
    if (toSkip > 0) {
      toSkip--;
      return true;
    }
    const row = state.row(id);
    return row === undefined || take(id, row);
  };
  const takeRange = (range: RankRange): boolean => {
    if (index !== undefined && descending !== tiesDescending) {
      return walkGroups(index, { range, descending }, takeEntry);
    }
    const skipped = Math.min(toSkip, range.to - range.from);
    toSkip -= skipped;
    const rest = descending
      ? { from: range.from, to: range.to - skipped }
      : { from: range.from + skipped, to: range.to };
    return index === undefined
      ? state.rows.visit(rest, take, descending)
      : index.entries.visit(rest, takeEntry, descending);
  };
  (descending ? ranges.toReversed() : ranges).every(takeRange);
}

/**
 * Rows with the same key are collected until the key changes. Beyond this number, the index is asked for their range.
 */
const mostKept = 32;

/** Walks keys in one direction, and the rows of each key in the other. False when the visitor stopped. */
function walkGroups(
  index: SortedIndex,
  { range, descending }: { readonly range: RankRange; readonly descending: boolean },
  take: Visitor<OrderValue, RowId>,
): boolean {
  const { entries } = index;
  const group: RowId[] = [];
  let key: OrderValue = null;
  const takeGroup = (): boolean => {
    for (let id = group.pop(); id !== undefined; id = group.pop()) {
      if (!take(key, id)) return false;
    }
    return true;
  };
  let { from, to } = range;
  while (from < to) {
    const isDone = entries.visit(
      { from, to },
      (own, id) => {
        if (group.length > 0 && compareOrderValues(key, own) !== 0 && !takeGroup()) return false;
        key = own;
        group.push(id);
        return group.length < mostKept;
      },
      descending,
    );
    if (group.length < mostKept) return isDone && takeGroup();
    group.length = 0;
    const large = index.rangeOf(key);
    if (!entries.visit(large, take, !descending)) return false;
    if (descending) to = large.from;
    else from = large.to;
  }
  return true;
}

/** A row and its sort keys. */
interface SortedRow {
  readonly row: Row;
  readonly id: RowId;
  /** The value of the first key; null where there is none. */
  readonly first: OrderValue;
  /** The values of the other keys. */
  readonly others: readonly OrderValue[];
}

/** How rows are sorted. */
interface RowSorter {
  readonly entry: (row: Row, id: RowId) => SortedRow;
  readonly compare: (left: SortedRow, right: SortedRow) => number;
}

function rowSorter(sort: Sort, layout: TableLayout): RowSorter {
  const { by, rowIdDescending = false } = sort;
  const [readFirst = (): OrderValue => null, ...readOthers] = by.map((key) =>
    keyReader(key, layout),
  );
  const [firstSign = 1, ...otherSigns] = by.map(({ descending }) => (descending ? -1 : 1));
  const idSign = rowIdDescending ? -1 : 1;
  // Most sorts have one key: their rows need no list of others.
  const othersOf = (row: Row, id: RowId): readonly OrderValue[] =>
    readOthers.length === 0 ? noOthers : readOthers.map((read) => read(row, id));
  return {
    entry: (row, id) => ({ row, id, first: readFirst(row, id), others: othersOf(row, id) }),
    compare: (left, right) => {
      const { first: own } = left;
      const { first: other } = right;
      // Most keys are plain numbers, and most of them differ.
      if (typeof own === "number" && typeof other === "number" && own !== other) {
        return own < other ? -firstSign : firstSign;
      }
      const first = compareOrderValues(own, other);
      if (first !== 0) return firstSign * first;
      // By index: an iterator takes half of the time of a comparison.
      for (let at = 0; at < otherSigns.length; at++) {
        const found = compareOrderValues(left.others[at] ?? null, right.others[at] ?? null);
        if (found !== 0) return elementAt(otherSigns, at) * found;
      }
      return idSign * compareRowIds(left.id, right.id);
    },
  };
}

type KeyReader = (row: Row, id: RowId) => OrderValue;

const noOthers: readonly OrderValue[] = [];

function keyReader({ column, collate }: SortKey, layout: TableLayout): KeyReader {
  const own = rulesOf(layout, column);
  const rules = collate === undefined ? own : { ...own, collation: collate };
  const cell = cellOf(layout, column);
  return (row, id) => orderValue(cell(row, id), rules);
}
