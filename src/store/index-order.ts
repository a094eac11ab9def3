import { compareOrderValues, type OrderValue } from "./order-value.ts";
import { compareRowIds, type RowId } from "./row-id.ts";

/**
 * The order of an index: by key, then by row id. Entries are compared some twenty times for each that is written,
 * so the common kinds of keys come first.
 */
export function compareEntries(
  leftKey: OrderValue,
  leftId: RowId,
  rightKey: OrderValue,
  rightId: RowId,
): number {
  const areNumbers = typeof leftKey === "number" && typeof rightKey === "number";
  if (areNumbers || (typeof leftKey === "string" && typeof rightKey === "string")) {
    if (leftKey < rightKey) return -1;
    if (leftKey > rightKey) return 1;
    return compareRowIds(leftId, rightId);
  }
  const sign = compareOrderValues(leftKey, rightKey);
  return sign === 0 ? compareRowIds(leftId, rightId) : sign;
}
