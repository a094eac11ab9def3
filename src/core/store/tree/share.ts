import { capacity, owned, type Owner, Share, TreeNode } from "./node.ts";

/** Smaller leaves are copied at once. */
const leastShared = capacity / 4;

/** With more changes than that it is read, so that they need not be looked through for each of the next. */
const mostChanges = capacity / 8;

/**
 * As `owned`. For what changes a node without a look at its entries the copy of a leaf waits until somebody reads it:
 * most writes to a fork go to leaves that nobody reads again.
 */
export function ownedFor<K, V>(
  node: TreeNode<K, V>,
  isUnread: boolean,
  owner: Owner,
): TreeNode<K, V> {
  if (node.owner === owner) return node;
  if (!isUnread) return owned(node, owner);
  const isShared = node.below === undefined && node.share === undefined;
  if (!isShared || node.keys.length < leastShared) return owned(node, owner);
  const share = new Share(node, []);
  return new TreeNode(owner, { keys: [], values: [], below: undefined, settled: -1, share });
}

/** Whether a leaf that has a share was changed so often that it is time for a copy. */
export function isOverdue<K, V>({ keys, share }: TreeNode<K, V>): boolean {
  return share !== undefined && keys.length + share.dropped.length >= mostChanges;
}
