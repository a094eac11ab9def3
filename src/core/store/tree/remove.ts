import {
  capacity,
  elementAt,
  type EntryOrder,
  isSharing,
  lengthOf,
  owned,
  type Owner,
  removeAt,
  type TreeNode,
} from "./node.ts";
import { settle } from "./settle.ts";
import { isOverdue, ownedFor } from "./share.ts";
import { placeFor, type Probe } from "./search.ts";

/** An entry to take out. */
interface OldEntry<K, V> extends Probe<K, V> {
  /** Whether nobody will read its leaf for its sake. */
  readonly isUnread: boolean;
}

/** The root after an entry was taken out. Throws, and has changed no entry, when it is not there. */
export function removed<K, V>(
  root: TreeNode<K, V>,
  probe: OldEntry<K, V>,
  owner: Owner,
): TreeNode<K, V> {
  let node = ownedFor(root, probe.isUnread, owner);
  removeFrom(node, probe, owner);
  while (node.below?.nodes.length === 1) node = elementAt(node.below.nodes, 0);
  return node;
}

function removeFrom<K, V>(node: TreeNode<K, V>, probe: OldEntry<K, V>, owner: Owner): void {
  const { below } = node;
  if (below === undefined) {
    removeFromLeaf(node, probe);
    return;
  }
  const index = placeFor(node, probe);
  const child = ownedFor(elementAt(below.nodes, index), probe.isUnread, owner);
  below.nodes[index] = child;
  removeFrom(child, probe, owner);
  below.sizes[index] = elementAt(below.sizes, index) - 1;
  if (lengthOf(child) < capacity / 4) join(node, index, { owner, order: probe.order });
}

function removeFromLeaf<K, V>(node: TreeNode<K, V>, probe: OldEntry<K, V>): void {
  if (isSharing(node) && dropFromShare(node, probe)) return;
  const { key, value, order } = probe;
  let place = order.placeOf(node, key, value);
  if (place < 0) {
    settle(node, order);
    place = order.placeOf(node, key, value);
  }
  if (place < 0) {
    throw new Error(
      "Cannot take an entry out of a tree: it is not there. This is a bug of Backlot; please report it.",
    );
  }
  removeAt(node.keys, place);
  removeAt(node.values, place);
  if (place < node.settled) node.settled--;
}

/** Drops an entry of those that a leaf shares; false, and nothing is changed, where it is none of them. */
function dropFromShare<K, V>(node: TreeNode<K, V>, { key, value, order }: Probe<K, V>): boolean {
  const { share } = node;
  if (share === undefined || isOverdue(node)) return false;
  settle(share.leaf, order);
  const place = order.placeOf(share.leaf, key, value);
  // Where it was dropped before it has come again since.
  if (place < 0 || share.dropped.includes(place)) return false;
  share.dropped.push(place);
  return true;
}

/** Puts a node that has become small together with a neighbour, when both fit into one. */
function join<K, V>(
  node: TreeNode<K, V>,
  index: number,
  { owner, order }: { readonly owner: Owner; readonly order: EntryOrder<K, V> },
): void {
  const { nodes, sizes } = node.below ?? { nodes: [], sizes: [] };
  if (nodes.length < 2) return;
  const left = index === 0 ? 0 : index - 1;
  const first = elementAt(nodes, left);
  const second = elementAt(nodes, left + 1);
  if (lengthOf(first) + lengthOf(second) > capacity) return;
  settle(first, order);
  settle(second, order);
  const joined = owned(first, owner);
  const at = joined.keys.length;
  joined.keys.push(...second.keys);
  joined.values.push(...second.values);
  if (joined.below !== undefined && second.below !== undefined) {
    // The lowest entry of the second node stands above it, and may be lower than its first one.
    joined.keys[at] = elementAt(node.keys, left + 1);
    joined.values[at] = elementAt(node.values, left + 1);
    joined.below.nodes.push(...second.below.nodes);
    joined.below.sizes.push(...second.below.sizes);
  }
  joined.settled = joined.keys.length;
  nodes[left] = joined;
  sizes[left] = elementAt(sizes, left) + elementAt(sizes, left + 1);
  removeAt(nodes, left + 1);
  removeAt(sizes, left + 1);
  removeAt(node.keys, left + 1);
  removeAt(node.values, left + 1);
}
