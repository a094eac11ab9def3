import {
  Below,
  branch,
  capacity,
  elementAt,
  insertAt,
  isSharing,
  leaf,
  lengthOf,
  type Owner,
  sizeOf,
  TreeNode,
} from "./node.ts";
import { settle } from "./settle.ts";
import { isOverdue, ownedFor } from "./share.ts";
import { placeFor, type Probe } from "./search.ts";

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
  return lengthOf(node) < capacity && !isOverdue(node);
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
