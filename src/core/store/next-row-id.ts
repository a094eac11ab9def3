import type { RowId } from "./value.ts";
import { leastGenerated } from "./table-layout.ts";
import type { TableState } from "./table-state.ts";

/** Gives the id of a new row, the same one however often, and works it out when it is first asked for. */
export function nextRowIdOf(state: TableState): () => RowId | undefined {
  let made: RowId | undefined;
  return () => (made ??= nextRowId(state));
}

/**
 * The row id after the largest; where there can be no larger one, the smallest that is free from 1 on, or none
 * where ids are never used again.
 */
function nextRowId(state: TableState): RowId | undefined {
  const largest = largestId(state);
  if (largest === undefined || largest < leastGenerated(state.layout) - 1) return 1;
  if (largest >= state.layout.storage.largestRowId) {
    return state.layout.schema.autoIncrement === true ? undefined : smallestFree(state);
  }
  if (Number.isSafeInteger(largest) && largest < Number.MAX_SAFE_INTEGER)
    return Number(largest) + 1;
  const next = BigInt(largest) + 1n;
  return BigInt(Number(next)) === next ? Number(next) : next;
}

/** The one that the next id must exceed: with AUTOINCREMENT, deleted ones count too. */
function largestId({ layout, rows, largestId: everLargest }: TableState): RowId | undefined {
  const last = rows.at(rows.size - 1)?.[0];
  if (layout.schema.autoIncrement !== true || everLargest === undefined) return last;
  return last === undefined || everLargest > last ? everLargest : last;
}

/** Halves the ids from 1 on: as long as there are as many as the last one says, none of them is free. */
function smallestFree({ rows }: TableState): RowId {
  const noRow = {};
  const first = rows.rank(1, noRow);
  let low = 0;
  let high = rows.size - first;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const id = rows.at(first + middle)?.[0];
    if (id === middle + 1) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}
