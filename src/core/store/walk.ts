import type { Access, Direction } from "./access.ts";
import { compareOrderValues, type OrderValue } from "./order-value.ts";
import type { Row, RowId } from "./value.ts";
import type { SortedIndex } from "./sorted-index.ts";
import type { TableState } from "./table-state.ts";
import { elementAt } from "./tree/node.ts";
import type { RankRange } from "./tree/visit.ts";

/** What is done with the rows that a walk comes to. */
export interface RowVisitor {
  /**
   * How many rows are still to be passed over without a look at them. The walk counts them down; in row id order there
   * are none, since a range of rows begins where it is to begin.
   */
  offset: number;
  /** Takes a row, and says whether the next one is wanted. */
  readonly take: (row: Row, id: RowId) => boolean;
}

/** Visits the rows that an access finds, from the first one or from the last. */
export function walk(
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
