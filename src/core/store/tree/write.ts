import {
  Below,
  type EntryOrder,
  type Owner,
  TreeNode,
  branch,
  capacity,
  elementAt,
  insertAt,
  isOverdue,
  isSharing,
  leaf,
  nodeLength,
  owned,
  ownedFor,
  removeAt,
  settle,
  sizeOf,
} from "./node.ts";
import { type Probe, placeFor } from "./search.ts";

/** An entry to put in. */
interface NewEntry<K, V> extends Probe<K, V> {
  /** Whether it is known that there is none that is equal to it. */
  readonly isNew: boolean;
}

/** What putting in an entry did to a node. */
interface Insertion<K, V> {
  /** Whether there was none that is equal to it. */
  readonly isNew: boolean;
  /** The node to its right when it had to be split. */
  readonly sibling: TreeNode<K, V> | undefined;
}

const replacement = { isNew: false, sibling: undefined };
const addition = { isNew: true, sibling: undefined };

/** The root after an entry was put in, and whether it is new or replaced one that is equal to it. */
export function inserted<K, V>(
  root: TreeNode<K, V>,
  probe: NewEntry<K, V>,
  owner: Owner,
): { readonly root: TreeNode<K, V>; readonly isNew: boolean } {
  const own = ownedFor(root, probe.isNew, owner);
  const { isNew, sibling } = insertInto(own, probe, owner);
  return { root: sibling === undefined ? own : branch(owner, [own, sibling]), isNew };
}

/** Puts an entry below a node that is owned. */
function insertInto<K, V>(
  node: TreeNode<K, V>,
  probe: NewEntry<K, V>,
  owner: Owner,
): Insertion<K, V> {
  const { below } = node;
  if (below === undefined) return insertIntoLeaf(node, probe);
  const { nodes, sizes } = below;
  const index = placeFor(node, probe);
  const child = ownedFor(elementAt(nodes, index), probe.isNew, owner);
  nodes[index] = child;
  const { isNew, sibling } = insertInto(child, probe, owner);
  if (sibling === undefined) {
    if (!isNew) return replacement;
    sizes[index] = elementAt(sizes, index) + 1;
    return addition;
  }
  sizes[index] = sizeOf(child);
  insertAt(nodes, index + 1, sibling);
  insertAt(sizes, index + 1, sizeOf(sibling));
  insertAt(node.keys, index + 1, elementAt(sibling.keys, 0));
  insertAt(node.values, index + 1, elementAt(sibling.values, 0));
  return nodes.length > capacity ? { isNew, sibling: split(node, capacity / 2) } : addition;
}

function insertIntoLeaf<K, V>(node: TreeNode<K, V>, probe: NewEntry<K, V>): Insertion<K, V> {
  const { key, value, order } = probe;
  if (probe.isNew && hasRoom(node)) {
    node.keys.push(key);
    node.values.push(value);
    return addition;
  }
  settle(node, order);
  const { keys, values } = node;
  const index = order.lowerBound(node, key, value);
  if (order.isAt(node, index, key, value)) {
    values[index] = value;
    return replacement;
  }
  // Entries that come in order fill one leaf after the other, and leave none half empty.
  if (index === capacity) {
    return { isNew: true, sibling: leaf(node.owner, [key], [value]) };
  }
  insertAt(keys, index, key);
  insertAt(values, index, value);
  node.settled++;
  return keys.length > capacity ? { isNew: true, sibling: split(node, capacity / 2) } : addition;
}

/** Whether a leaf can take one more entry unread. */
function hasRoom<K, V>(node: TreeNode<K, V>): boolean {
  if (!isSharing(node)) return node.keys.length < capacity;
  return nodeLength(node) < capacity && !isOverdue(node);
}

/** Moves what comes after `at` to a new node. */
function split<K, V>(node: TreeNode<K, V>, at: number): TreeNode<K, V> {
  const { keys, values, below } = node;
  const settled = keys.length - at;
  node.settled = at;
  return new TreeNode(node.owner, {
    keys: keys.splice(at),
    values: values.splice(at),
    settled,
    below: below && new Below(below.nodes.splice(at), below.sizes.splice(at)),
    share: undefined,
  });
}

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
  if (nodeLength(child) < capacity / 4) join(node, index, { owner, order: probe.order });
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
  if (nodeLength(first) + nodeLength(second) > capacity) return;
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
