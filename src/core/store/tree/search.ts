import { elementAt, type EntryOrder, type TreeNode } from "./node.ts";
import { settle } from "./settle.ts";

/** An entry to look for, and the order in which entries are. */
export interface Probe<K, V> {
  readonly key: K;
  readonly value: V;
  readonly order: EntryOrder<K, V>;
}

/** The node below a branch in which an entry is, or would be put. */
export function placeFor<K, V>(node: TreeNode<K, V>, { key, value, order }: Probe<K, V>): number {
  const place = order.lowerBound(node, key, value);
  // Whatever comes before the lowest entry of the first node belongs there too.
  return place === 0 || order.isAt(node, place, key, value) ? place : place - 1;
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
  settle(node, probe.order);
  return rank + probe.order.lowerBound(node, probe.key, probe.value);
}

/** The value of the entry that is equal to the one looked for. */
export function valueOf<K, V>(root: TreeNode<K, V>, probe: Probe<K, V>): V | undefined {
  const { key, value, order } = probe;
  let node = root;
  while (node.below !== undefined) node = elementAt(node.below.nodes, placeFor(node, probe));
  settle(node, order);
  const place = order.placeOf(node, key, value);
  return place < 0 ? undefined : elementAt(node.values, place);
}
