import { compareOrderValues, orderValue, type OrderValue } from "./order-value.ts";
import type { Sort } from "./query.ts";
import { compareRowIds, type RowId } from "./row-id.ts";
import { cellOf, rulesOf } from "./row-test.ts";
import type { Row } from "./row.ts";
import type { TableLayout } from "./table-layout.ts";
import { elementAt } from "./tree/node.ts";

/** A row with what it is sorted by. */
export interface SortedRow {
  readonly row: Row;
  readonly id: RowId;
  readonly keys: readonly OrderValue[];
}

/** How rows are put in order. */
export interface RowSorter {
  readonly entry: (row: Row, id: RowId) => SortedRow;
  readonly compare: (left: SortedRow, right: SortedRow) => number;
}

export function rowSorter({ by, rowIdDescending = false }: Sort, layout: TableLayout): RowSorter {
  const readers = by.map(({ column, collate }) => {
    const own = rulesOf(layout, column);
    const rules = collate === undefined ? own : { ...own, collation: collate };
    const cell = cellOf(layout, column);
    return (row: Row, id: RowId): OrderValue => orderValue(cell(row, id), rules);
  });
  const signs = by.map(({ descending }) => (descending ? -1 : 1));
  const idSign = rowIdDescending ? -1 : 1;
  return {
    entry: (row, id) => ({ row, id, keys: readers.map((read) => read(row, id)) }),
    compare: (left, right) => {
      // By index: an iterator takes half of the time of a comparison.
      for (let at = 0; at < signs.length; at++) {
        const found = compareOrderValues(left.keys[at] ?? null, right.keys[at] ?? null);
        if (found !== 0) return elementAt(signs, at) * found;
      }
      return idSign * compareRowIds(left.id, right.id);
    },
  };
}

/** Keeps the first `most` rows of all that it is offered: a heap whose root is the last one kept. */
export class FirstRows {
  readonly #most: number;
  readonly #compare: RowSorter["compare"];
  readonly #heap: SortedRow[] = [];

  constructor(most: number, compare: RowSorter["compare"]) {
    this.#most = most;
    this.#compare = compare;
  }

  offer(entry: SortedRow): void {
    const heap = this.#heap;
    if (heap.length < this.#most) {
      heap.push(entry);
      this.#rise(heap.length - 1);
      return;
    }
    const [last] = heap;
    if (last === undefined || this.#compare(entry, last) >= 0) return;
    heap[0] = entry;
    this.#sink();
  }

  /** The rows kept, in order. */
  inOrder(): readonly SortedRow[] {
    return this.#heap.toSorted(this.#compare);
  }

  #rise(start: number): void {
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.#swapIfLater(at, parent)) return;
      at = parent;
    }
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const later = this.#isLater(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfLater(later, at)) return;
      at = later;
    }
  }

  #swapIfLater(child: number, parent: number): boolean {
    if (!this.#isLater(child, parent)) return false;
    const [below, above] = [this.#heap[child], this.#heap[parent]];
    if (below === undefined || above === undefined) return false;
    this.#heap[child] = above;
    this.#heap[parent] = below;
    return true;
  }

  #isLater(left: number, right: number): boolean {
    const [one, other] = [this.#heap[left], this.#heap[right]];
    return one !== undefined && other !== undefined && this.#compare(one, other) > 0;
  }
}
