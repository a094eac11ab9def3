import { elementAt, type EntryOrder, type TreeNode } from "./node.ts";

/** An entry to look for, and the order in which entries are. */
export interface Probe<K, V> {
  readonly key: K;
  readonly value: V;
  readonly order: EntryOrder<K, V>;
}

/** The first place in a node whose entry does not come before the one looked for. */
export function lowerBound<K, V>(node: TreeNode<K, V>, { key, value, order }: Probe<K, V>): number {
  const { keys, values } = node;
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(elementAt(keys, middle), elementAt(values, middle), key, value) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The node below a branch in which an entry is, or would be put. */
export function placeFor<K, V>(node: TreeNode<K, V>, { key, value, order }: Probe<K, V>): number {
  const { keys, values } = node;
  // The lowest entry of the first node is not looked at: whatever comes before it belongs there too.
  let low = 1;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(elementAt(keys, middle), elementAt(values, middle), key, value) <= 0)
      low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** How many entries come before the one looked for. */
export function rankOf<K, V>(root: TreeNode<K, V>, probe: Probe<K, V>): number {
  let node = root;
  let rank = 0;
  while (node.below !== undefined) {
    const { nodes, sizes } = node.below;
    const index = placeFor(node, probe);
    for (let before = 0; before < index; before++) rank += elementAt(sizes, before);
    node = elementAt(nodes, index);
  }
  return rank + lowerBound(node, probe);
}

/** The value of the entry that is equal to the one looked for. */
export function valueOf<K, V>(root: TreeNode<K, V>, probe: Probe<K, V>): V | undefined {
  let node = root;
  while (node.below !== undefined) node = elementAt(node.below.nodes, placeFor(node, probe));
  const index = lowerBound(node, probe);
  if (index >= node.keys.length) return undefined;
  const value = elementAt(node.values, index);
  const isEqual = probe.order(elementAt(node.keys, index), value, probe.key, probe.value) === 0;
  return isEqual ? value : undefined;
}
