import { compareOrderValues, orderValue, type OrderValue } from "./order-value.ts";
import type { Sort, SortKey } from "./query.ts";
import { cellOf, rulesOf } from "./filter.ts";
import { type Row, type RowId, compareRowIds } from "./value.ts";
import type { TableLayout } from "./table-layout.ts";
import { elementAt } from "./tree/node.ts";

/** A row with what it is sorted by. */
export interface SortedRow {
  readonly row: Row;
  readonly id: RowId;
  /** By the first key; null where there is none. */
  readonly first: OrderValue;
  /** By the keys after it. */
  readonly others: readonly OrderValue[];
}

/** How rows are put in order. */
export interface RowSorter {
  readonly entry: (row: Row, id: RowId) => SortedRow;
  readonly compare: (left: SortedRow, right: SortedRow) => number;
}

export function rowSorter(sort: Sort, layout: TableLayout): RowSorter {
  const { by, rowIdDescending = false } = sort;
  const [readFirst = readNothing, ...readOthers] = by.map((key) => keyReader(key, layout));
  const [firstSign = 1, ...otherSigns] = by.map(({ descending }) => (descending ? -1 : 1));
  const idSign = rowIdDescending ? -1 : 1;
  // Most sorts have one key: its rows need no list of others.
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

function readNothing(): OrderValue {
  return null;
}

function keyReader({ column, collate }: SortKey, layout: TableLayout): KeyReader {
  const own = rulesOf(layout, column);
  const rules = collate === undefined ? own : { ...own, collation: collate };
  const cell = cellOf(layout, column);
  return (row, id) => orderValue(cell(row, id), rules);
}

/**
 * Keeps the first `most` rows of all that it is offered, in order. A heap would move fewer of them, but at the few
 * hundred that are kept finding the place takes longer than moving, and a heap has to be sorted in the end: a page of
 * 10 of 20 rows takes 7.4 µs with it, 4.7 without.
 */
export class FirstRows {
  readonly #most: number;
  readonly #compare: RowSorter["compare"];
  readonly #kept: SortedRow[] = [];

  constructor(most: number, compare: RowSorter["compare"]) {
    this.#most = most;
    this.#compare = compare;
  }

  /** The rows kept, in order. */
  get rows(): readonly SortedRow[] {
    return this.#kept;
  }

  offer(entry: SortedRow): void {
    const kept = this.#kept;
    if (kept.length === this.#most) {
      if (this.#compare(entry, elementAt(kept, kept.length - 1)) >= 0) return;
      kept.pop();
    }
    const place = this.#placeOf(entry);
    kept.push(entry);
    for (let at = kept.length - 1; at > place; at--) kept[at] = elementAt(kept, at - 1);
    kept[place] = entry;
  }

  /** How many of the rows kept come before another one. */
  #placeOf(entry: SortedRow): number {
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(entry, elementAt(this.#kept, middle)) > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
