/** Whoever may change a node in place. Everybody else copies it first. */
export type Owner = object;

/** Negative, zero or positive as the left entry comes before, with or after the right one. */
export type EntryOrder<K, V> = (leftKey: K, leftValue: V, rightKey: K, rightValue: V) => number;

/** Entries of a leaf, or nodes below a branch; one with more is split. Half or twice as many are slower. */
export const capacity = 128;

/** What a branch has below it. */
export interface Below<K, V> {
  readonly nodes: TreeNode<K, V>[];
  /** How many entries are in each node. Beside each other, since a rank is their sum. */
  readonly sizes: number[];
}

/**
 * A leaf holds entries in order. A branch holds nodes, and for each the lowest entry that may be in it.
 * One class for both keeps the engine's property reads monomorphic.
 */
export class TreeNode<K, V> {
  readonly owner: Owner;
  readonly keys: K[];
  readonly values: V[];
  readonly below: Below<K, V> | undefined;

  constructor(
    owner: Owner,
    parts: {
      readonly keys: K[];
      readonly values: V[];
      readonly below: Below<K, V> | undefined;
    },
  ) {
    this.owner = owner;
    this.keys = parts.keys;
    this.values = parts.values;
    this.below = parts.below;
  }
}

/** How many entries are in a node and below it. */
export function sizeOf<K, V>({ keys, below }: TreeNode<K, V>): number {
  return below === undefined ? keys.length : below.sizes.reduce((sum, size) => sum + size, 0);
}

export function leaf<K, V>(owner: Owner, keys: K[], values: V[]): TreeNode<K, V> {
  return new TreeNode(owner, { keys, values, below: undefined });
}

/** A branch over nodes in order, none of them empty. */
export function branch<K, V>(owner: Owner, nodes: TreeNode<K, V>[]): TreeNode<K, V> {
  const keys = nodes.map((node) => elementAt(node.keys, 0));
  const values = nodes.map((node) => elementAt(node.values, 0));
  return new TreeNode(owner, { keys, values, below: { nodes, sizes: nodes.map(sizeOf) } });
}

/** The node itself when it belongs to the owner, else a copy that does. */
export function owned<K, V>(node: TreeNode<K, V>, owner: Owner): TreeNode<K, V> {
  if (node.owner === owner) return node;
  const { keys, values, below } = node;
  return new TreeNode(owner, {
    keys: keys.slice(),
    values: values.slice(),
    below: below && { nodes: below.nodes.slice(), sizes: below.sizes.slice() },
  });
}

/** An element that is known to be there: nodes keep their arrays of one length. */
export function elementAt<T>(items: readonly T[], index: number): T {
  return items[index] as T;
}

/** Array.prototype.splice would make an array of what it takes out, each time. */
export function removeAt(items: unknown[], index: number): void {
  for (let at = index + 1; at < items.length; at++) items[at - 1] = items[at];
  items.pop();
}

/** As {@link removeAt}, the other way round. */
export function insertAt<T>(items: T[], index: number, item: T): void {
  items.push(item);
  for (let at = items.length - 1; at > index; at--) items[at] = elementAt(items, at - 1);
  items[index] = item;
}
