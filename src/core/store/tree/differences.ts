import { type TreeNode, elementAt } from "./node.ts";

/** What differs between two trees: entries by key, undefined where the later one has none. */
export type Differences<K, V> = ReadonlyMap<K, V | undefined>;

/**
 * What became of the entries of a tree. Nodes that both share are not looked into, so that it costs little where little
 * was written since a fork. Keys are compared as those of a Map.
 */
export function differences<K, V>(
  before: TreeNode<K, V>,
  after: TreeNode<K, V>,
): Differences<K, V> {
  const changed = new Map<K, V | undefined>();
  if (before === after) return changed;
  const old = nodesOf(before);
  const current = nodesOf(after);
  eachLeaf(after, old, (key, value) => changed.set(key, value));
  eachLeaf(before, current, (key, value) => {
    if (!changed.has(key)) changed.set(key, undefined);
    else if (changed.get(key) === value) changed.delete(key);
  });
  return changed;
}

/** A node and all below it. */
function nodesOf<K, V>(node: TreeNode<K, V>, found: Set<TreeNode<K, V>> = new Set()): typeof found {
  found.add(node);
  for (const child of node.below?.nodes ?? []) nodesOf(child, found);
  return found;
}

/** Visits the entries of all leaves that another tree has not. */
function eachLeaf<K, V>(
  node: TreeNode<K, V>,
  others: ReadonlySet<TreeNode<K, V>>,
  visit: (key: K, value: V) => void,
): void {
  if (others.has(node)) return;
  if (node.below !== undefined) {
    for (const child of node.below.nodes) eachLeaf(child, others, visit);
    return;
  }
  for (let at = 0; at < node.keys.length; at++) {
    visit(elementAt(node.keys, at), elementAt(node.values, at));
  }
}
