import { elementAt, type EntryOrder, insertAt, type Share, type TreeNode } from "./node.ts";

/**
 * Puts the entries of a leaf in order that came since it was last read, and copies those that it shares. What is in the
 * leaf stays the same, so it may be done to one that is shared.
 */
export function settle<K, V>(node: TreeNode<K, V>, order: EntryOrder<K, V>): void {
  if (node.settled === node.keys.length || node.below !== undefined) return;
  if (node.share === undefined) {
    const { keys, values, settled } = node;
    putInOrder(node, { keys: keys.splice(settled), values: values.splice(settled) }, order);
  } else {
    const { share } = node;
    const later = { keys: node.keys.splice(0), values: node.values.splice(0) };
    settle(share.leaf, order);
    takeShare(node, share);
    putInOrder(node, later, order);
  }
}

/**
 * A share becomes a copy, without what was dropped. The node keeps its arrays: V8 takes what never changes for constant,
 * and with arrays that may change writes take a tenth longer where nothing is forked.
 */
function takeShare<K, V>(node: TreeNode<K, V>, { leaf, dropped }: Share<K, V>): void {
  node.keys.push(...without(leaf.keys, dropped));
  node.values.push(...without(leaf.values, dropped));
  node.share = undefined;
}

function without<T>(items: readonly T[], places: readonly number[]): T[] {
  return places.length === 0 ? items.slice() : items.filter((_, at) => !places.includes(at));
}

/** Puts entries among those of a leaf, which are in order. */
function putInOrder<K, V>(
  node: TreeNode<K, V>,
  later: { readonly keys: readonly K[]; readonly values: readonly V[] },
  order: EntryOrder<K, V>,
): void {
  const { keys, values } = node;
  for (let at = 0; at < later.keys.length; at++) {
    const key = elementAt(later.keys, at);
    const value = elementAt(later.values, at);
    const place = order.lowerBound(node, key, value);
    insertAt(keys, place, key);
    insertAt(values, place, value);
  }
  node.settled = keys.length;
}
