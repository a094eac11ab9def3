/**
 * What identifies a row within its table and gives the order of rows that nothing sorts: the integer primary
 * key where there is one, else a number of the store's own. A bigint only where no double is exact.
 */
export type RowId = number | bigint;

/** Negative, zero or positive as the left id comes before, with or after the right one. */
export function compareRowIds(left: RowId, right: RowId): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}
