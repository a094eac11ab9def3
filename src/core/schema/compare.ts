/**
 * Compares by `<`: negative, zero or positive. Numbers are compared by mathematical value, texts by UTF-16 code units.
 */
export function compare<T extends string | number | bigint>(left: T, right: T): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}
