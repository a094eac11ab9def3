import { branch, capacity, leaf, type Owner, type TreeNode } from "./node.ts";

/** A tree of entries that are in order already, every node full. */
export function built<K, V>(
  owner: Owner,
  keys: readonly K[],
  values: readonly V[],
): TreeNode<K, V> {
  let level: TreeNode<K, V>[] = [];
  for (let at = 0; at < keys.length; at += capacity) {
    level.push(leaf(owner, keys.slice(at, at + capacity), values.slice(at, at + capacity)));
  }
  while (level.length > 1) {
    const above: TreeNode<K, V>[] = [];
    for (let at = 0; at < level.length; at += capacity) {
      above.push(branch(owner, level.slice(at, at + capacity)));
    }
    level = above;
  }
  return level[0] ?? leaf<K, V>(owner, [], []);
}
