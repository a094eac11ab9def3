import type { Access, Direction } from "./access.ts";
import { compareOrderValues, type OrderValue } from "./order-value.ts";
import type { RowId } from "./row-id.ts";
import type { Row } from "./row.ts";
import type { SortedIndex } from "./sorted-index.ts";
import type { TableState } from "./table-state.ts";
import { elementAt } from "./tree/node.ts";
import type { RankRange } from "./tree/visit.ts";

/** Takes a row, and says whether the next one is wanted. */
export type RowVisitor = (row: Row, id: RowId) => boolean;

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
  const row = state.row(id);
  return row === undefined || visitor(row, id);
}

function walkRows(
  { rows }: TableState,
  range: RankRange,
  { direction, visitor }: { readonly direction: Direction; readonly visitor: RowVisitor },
): void {
  if (direction.descending) {
    rows.visitBackward(range, (ids, found, { start, end }) => {
      for (let at = end - 1; at >= start; at--) {
        if (!visitor(elementAt(found, at), elementAt(ids, at))) return false;
      }
      return true;
    });
    return;
  }
  rows.visit(range, (ids, found, { start, end }) => {
    for (let at = start; at < end; at++) {
      if (!visitor(elementAt(found, at), elementAt(ids, at))) return false;
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
  let { from, to } = range;
  while (from < to) {
    const { group, key } = groupAt(index, { from, to, descending });
    let taken = group.length;
    if (taken < mostKept) {
      for (let at = group.length - 1; at >= 0; at--) {
        if (!visitById(state, elementAt(group, at), visitor)) return false;
      }
    } else {
      const whole = index.rangeOf(key);
      taken = whole.to - whole.from;
      const inner = { descending: !descending, tiesDescending: !descending };
      if (!walkIndex(state, { index, range: whole, direction: inner, visitor })) return false;
    }
    if (descending) to -= taken;
    else from += taken;
  }
  return true;
}

/** The ids under the first key of a range, as far as they are kept, in the direction of the walk. */
function groupAt(
  index: SortedIndex,
  { from, to, descending }: RankRange & { readonly descending: boolean },
): { readonly group: readonly RowId[]; readonly key: OrderValue } {
  const group: RowId[] = [];
  let key: OrderValue = null;
  const take = (next: OrderValue, id: RowId): boolean => {
    if (group.length === 0) key = next;
    else if (compareOrderValues(key, next) !== 0) return false;
    group.push(id);
    return group.length < mostKept;
  };
  if (descending) {
    index.entries.visitBackward({ from, to }, (keys, ids, { start, end }) => {
      for (let at = end - 1; at >= start; at--) {
        if (!take(elementAt(keys, at), elementAt(ids, at))) return false;
      }
      return true;
    });
  } else {
    index.entries.visit({ from, to }, (keys, ids, { start, end }) => {
      for (let at = start; at < end; at++) {
        if (!take(elementAt(keys, at), elementAt(ids, at))) return false;
      }
      return true;
    });
  }
  return { group, key };
}
