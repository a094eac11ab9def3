import { elementAt, type EntryOrder, insertAt, type TreeNode } from "./node.ts";

/**
 * Puts the entries of a leaf in order that came since it was last read. What is in the leaf stays the same, so
 * it may be done to one that is shared.
 */
export function settle<K, V>(node: TreeNode<K, V>, order: EntryOrder<K, V>): void {
  const { keys, values, settled } = node;
  if (settled === keys.length || node.below !== undefined) return;
  const laterKeys = keys.splice(settled);
  const laterValues = values.splice(settled);
  for (let at = 0; at < laterKeys.length; at++) {
    const key = elementAt(laterKeys, at);
    const value = elementAt(laterValues, at);
    const place = order.lowerBound(node, key, value);
    insertAt(keys, place, key);
    insertAt(values, place, value);
  }
  node.settled = keys.length;
}
