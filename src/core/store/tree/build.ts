import { branch, capacity, leaf, type Owner, type TreeNode } from "./node.ts";

/** Entries of each node. Where all were full, the first write to each would split it, and that after every fork. */
const filled = (capacity / 8) * 7;

/** A tree of entries that are in order already. */
export function built<K, V>(
  owner: Owner,
  keys: readonly K[],
  values: readonly V[],
): TreeNode<K, V> {
  let level: TreeNode<K, V>[] = [];
  for (let at = 0; at < keys.length; at += filled) {
    level.push(leaf(owner, keys.slice(at, at + filled), values.slice(at, at + filled)));
  }
  while (level.length > 1) {
    const above: TreeNode<K, V>[] = [];
    for (let at = 0; at < level.length; at += filled) {
      above.push(branch(owner, level.slice(at, at + filled)));
    }
    level = above;
  }
  return level[0] ?? leaf<K, V>(owner, [], []);
}
