import { compareOrderValues, type OrderValue } from "./order-value.ts";
import { type RowId, compareRowIds } from "./value.ts";
import { elementAt, type EntryOrder, type TreeNode } from "./tree/node.ts";

type IndexNode = TreeNode<OrderValue, RowId>;

/** The order of an index: by key, then by row id. */
export const indexOrder: EntryOrder<OrderValue, RowId> = {
  lowerBound: (node, key, id) => {
    // A loop for each of the common kinds of keys: what V8 learns of the one does not hold for the other.
    if (typeof key === "number") return lowerBoundOfNumber(node, key, id);
    return typeof key === "string"
      ? lowerBoundOfText(node, key, id)
      : lowerBoundOfAny(node, key, id);
  },
  isAt,
  placeOf: (node, key, id) => {
    // Ids lie side by side, and texts to compare with do not.
    const place = node.values.indexOf(id);
    if (isAt(node, place, key, id)) return place;
    const other = indexOrder.lowerBound(node, key, id);
    return isAt(node, other, key, id) ? other : -1;
  },
};

function isAt({ keys, values }: IndexNode, place: number, key: OrderValue, id: RowId): boolean {
  if (place < 0 || place >= values.length) return false;
  return (
    compareRowIds(elementAt(values, place), id) === 0 &&
    compareOrderValues(elementAt(keys, place), key) === 0
  );
}

function lowerBoundOfNumber({ keys, values }: IndexNode, key: number, id: RowId): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const own = elementAt(keys, middle);
    const isBefore =
      typeof own === "number"
        ? own < key || (own === key && elementAt(values, middle) < id)
        : isBeforeAny(own, elementAt(values, middle), { key, id });
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lowerBoundOfText({ keys, values }: IndexNode, key: string, id: RowId): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const own = elementAt(keys, middle);
    const isBefore =
      typeof own === "string"
        ? own < key || (own === key && elementAt(values, middle) < id)
        : isBeforeAny(own, elementAt(values, middle), { key, id });
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lowerBoundOfAny({ keys, values }: IndexNode, key: OrderValue, id: RowId): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBeforeAny(elementAt(keys, middle), elementAt(values, middle), { key, id }))
      low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether an entry comes before another, whatever their keys. A bigint and a double may be equal. */
function isBeforeAny(
  ownKey: OrderValue,
  ownId: RowId,
  { key, id }: { readonly key: OrderValue; readonly id: RowId },
): boolean {
  const sign = compareOrderValues(ownKey, key);
  return sign < 0 || (sign === 0 && ownId < id);
}
