import { type EntryOrder, type TreeNode, elementAt, settle, sizeOf } from "./node.ts";

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

/**
 * Takes the entries from `start` up to but not including `end` of a leaf's arrays, which it must not change,
 * and says whether the next ones are wanted.
 */
export type LeafVisitor<K, V> = (
  keys: readonly K[],
  values: readonly V[],
  range: { readonly start: number; readonly end: number },
) => boolean;

/** Ranks of entries: from `from` up to but not including `to`. */
export interface RankRange {
  readonly from: number;
  readonly to: number;
}

/** What is visited, and how. */
interface Visit<K, V> {
  readonly order: EntryOrder<K, V>;
  readonly visitor: LeafVisitor<K, V>;
}

/** Visits a range leaf by leaf, in order. False when the visitor wanted no more. */
export function visit<K, V>(
  node: TreeNode<K, V>,
  { from, to }: RankRange,
  { order, visitor }: Visit<K, V>,
): boolean {
  const { below } = node;
  if (below === undefined) {
    settle(node, order);
    const { keys, values } = node;
    return visitor(keys, values, { start: Math.max(from, 0), end: Math.min(to, keys.length) });
  }
  let before = 0;
  for (let index = 0; index < below.sizes.length && before < to; index++) {
    const after = before + elementAt(below.sizes, index);
    if (after > from) {
      const inner = { from: from - before, to: to - before };
      if (!visit(elementAt(below.nodes, index), inner, { order, visitor })) return false;
    }
    before = after;
  }
  return true;
}

/** As {@link visit}, but the last leaf first. The visitor reads each range from its end. */
export function visitBackward<K, V>(
  node: TreeNode<K, V>,
  { from, to }: RankRange,
  { order, visitor }: Visit<K, V>,
): boolean {
  const { below } = node;
  if (below === undefined) {
    settle(node, order);
    const { keys, values } = node;
    return visitor(keys, values, { start: Math.max(from, 0), end: Math.min(to, keys.length) });
  }
  let after = sizeOf(node);
  for (let index = below.sizes.length - 1; index >= 0 && after > from; index--) {
    const before = after - elementAt(below.sizes, index);
    if (before < to) {
      const inner = { from: from - before, to: to - before };
      if (!visitBackward(elementAt(below.nodes, index), inner, { order, visitor })) return false;
    }
    after = before;
  }
  return true;
}
