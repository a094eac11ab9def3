import {
  capacity,
  elementAt,
  type EntryOrder,
  owned,
  type Owner,
  removeAt,
  type TreeNode,
} from "./node.ts";
import { settle } from "./settle.ts";
import { placeFor, type Probe } from "./search.ts";

/** The root after an entry was taken out. Throws, and has changed no entry, when it is not there. */
export function removed<K, V>(
  root: TreeNode<K, V>,
  probe: Probe<K, V>,
  owner: Owner,
): TreeNode<K, V> {
  let node = owned(root, owner);
  removeFrom(node, probe, owner);
  while (node.below?.nodes.length === 1) node = elementAt(node.below.nodes, 0);
  return node;
}

function removeFrom<K, V>(node: TreeNode<K, V>, probe: Probe<K, V>, owner: Owner): void {
  const { below } = node;
  if (below === undefined) {
    removeFromLeaf(node, probe);
    return;
  }
  const index = placeFor(node, probe);
  const child = owned(elementAt(below.nodes, index), owner);
  below.nodes[index] = child;
  removeFrom(child, probe, owner);
  below.sizes[index] = elementAt(below.sizes, index) - 1;
  if (child.keys.length < capacity / 4) join(node, index, { owner, order: probe.order });
}

function removeFromLeaf<K, V>(node: TreeNode<K, V>, { key, value, order }: Probe<K, V>): void {
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
  if (first.keys.length + second.keys.length > capacity) return;
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
