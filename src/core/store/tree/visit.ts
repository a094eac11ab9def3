import { elementAt, type EntryOrder, sizeOf, type TreeNode } from "./node.ts";
import { settle } from "./settle.ts";

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
export interface Visit<K, V> {
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
