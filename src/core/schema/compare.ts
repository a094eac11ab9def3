/** Negative, zero or positive, by `<`: numbers by their mathematical values, texts by their UTF-16 code units. */
export function compare<T extends string | number | bigint>(left: T, right: T): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}
