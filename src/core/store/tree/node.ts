/** Whoever may change a node in place. Everybody else copies it first. */
export type Owner = object;

/** How entries are in order, told by searches in a node's arrays: they are most of what a tree does. */
export interface EntryOrder<K, V> {
  /** The first place in a node, whose entries are all in order, with one that does not come before this one. */
  readonly lowerBound: (node: TreeNode<K, V>, key: K, value: V) => number;
  /** Whether the entry at a place in a node is equal to this one. There need be none. */
  readonly isAt: (node: TreeNode<K, V>, place: number, key: K, value: V) => boolean;
  /**
   * The place in a leaf of an entry that is equal to this one; -1 where there is none. In a leaf that is not in
   * order it may give -1 too.
   */
  readonly placeOf: (node: TreeNode<K, V>, key: K, value: V) => number;
}

/** Entries of a leaf, or nodes below a branch; one with more is split. With 64 or 96 nothing is faster. */
export const capacity = 128;

/**
 * What a branch has below it. A class, since V8 puts literals of a kind that lived long before among the old
 * objects at once: then copies that a fork needs no more lived on, and a first write took three times as long.
 */
export class Below<K, V> {
  readonly nodes: TreeNode<K, V>[];
  /** How many entries are in each node. Beside each other, since a rank is their sum. */
  readonly sizes: number[];

  constructor(nodes: TreeNode<K, V>[], sizes: number[]) {
    this.nodes = nodes;
    this.sizes = sizes;
  }
}

/** What a leaf has of one that it shares with other trees: all entries but some. */
class Share<K, V> {
  /** A leaf in order, that has no share itself. */
  readonly leaf: TreeNode<K, V>;
  /** Places in that leaf, in no order. */
  readonly dropped: number[];

  constructor(of: TreeNode<K, V>, dropped: number[]) {
    this.leaf = of;
    this.dropped = dropped;
  }
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
  /**
   * How many entries of a leaf are in order. Those after them came later, and wait until somebody reads it; all do
   * where it has a share, and then it is -1. The entries of a branch always are in order.
   */
  settled: number;
  /** Entries that a leaf has besides its own, until somebody reads it. */
  share: Share<K, V> | undefined;

  constructor(
    owner: Owner,
    parts: {
      readonly keys: K[];
      readonly values: V[];
      readonly below: Below<K, V> | undefined;
      readonly settled: number;
      readonly share: Share<K, V> | undefined;
    },
  ) {
    this.owner = owner;
    this.keys = parts.keys;
    this.values = parts.values;
    this.below = parts.below;
    this.settled = parts.settled;
    this.share = parts.share;
  }
}

/** How many entries are in a node and below it. */
export function sizeOf<K, V>(node: TreeNode<K, V>): number {
  const { below } = node;
  return below === undefined ? nodeLength(node) : below.sizes.reduce((sum, size) => sum + size, 0);
}

/** Whether a leaf has a share, told by what every write reads anyhow. */
export function isSharing<K, V>({ settled }: TreeNode<K, V>): boolean {
  return settled < 0;
}

/** How many entries a leaf has, or how many nodes a branch. */
export function nodeLength<K, V>(node: TreeNode<K, V>): number {
  const { keys } = node;
  if (!isSharing(node)) return keys.length;
  const { share } = node;
  if (share === undefined) return keys.length;
  return keys.length + share.leaf.keys.length - share.dropped.length;
}

export function leaf<K, V>(owner: Owner, keys: K[], values: V[]): TreeNode<K, V> {
  const settled = keys.length;
  return new TreeNode(owner, { keys, values, below: undefined, settled, share: undefined });
}

/** A branch over nodes in order, none of them empty. */
export function branch<K, V>(owner: Owner, nodes: TreeNode<K, V>[]): TreeNode<K, V> {
  const keys = nodes.map((node) => elementAt(node.keys, 0));
  const values = nodes.map((node) => elementAt(node.values, 0));
  const below = new Below(nodes, nodes.map(sizeOf));
  return new TreeNode(owner, { keys, values, below, settled: keys.length, share: undefined });
}

/** The node itself when it belongs to the owner, else a copy that does. */
export function owned<K, V>(node: TreeNode<K, V>, owner: Owner): TreeNode<K, V> {
  if (node.owner === owner) return node;
  const { keys, values, below, settled, share } = node;
  return new TreeNode(owner, {
    keys: keys.slice(),
    values: values.slice(),
    settled,
    below: below && new Below(below.nodes.slice(), below.sizes.slice()),
    share: share && new Share(share.leaf, share.dropped.slice()),
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

/**
 * Puts the entries of a leaf in order that came since it was last read, and copies those that it shares. What is in the
 * leaf stays the same, so it may be done to one that is shared.
 */
export function settle<K, V>(node: TreeNode<K, V>, order: EntryOrder<K, V>): void {
  if (node.settled === node.keys.length || node.below !== undefined) return;
  if (node.share === undefined) {
    const { keys, values, settled } = node;
    putInOrder(node, { keys: keys.splice(settled), values: values.splice(settled) }, order);
  } else {
    const { share } = node;
    const later = { keys: node.keys.splice(0), values: node.values.splice(0) };
    settle(share.leaf, order);
    takeShare(node, share);
    putInOrder(node, later, order);
  }
}

/**
 * A share becomes a copy, without what was dropped. The node keeps its arrays: V8 takes what never changes for constant,
 * and with arrays that may change writes take a tenth longer where nothing is forked.
 */
function takeShare<K, V>(node: TreeNode<K, V>, { leaf: shared, dropped }: Share<K, V>): void {
  node.keys.push(...without(shared.keys, dropped));
  node.values.push(...without(shared.values, dropped));
  node.share = undefined;
}

function without<T>(items: readonly T[], places: readonly number[]): T[] {
  return places.length === 0 ? items.slice() : items.filter((_, at) => !places.includes(at));
}

/** Puts entries among those of a leaf, which are in order. */
function putInOrder<K, V>(
  node: TreeNode<K, V>,
  later: { readonly keys: readonly K[]; readonly values: readonly V[] },
  order: EntryOrder<K, V>,
): void {
  const { keys, values } = node;
  for (let at = 0; at < later.keys.length; at++) {
    const key = elementAt(later.keys, at);
    const value = elementAt(later.values, at);
    const place = order.lowerBound(node, key, value);
    insertAt(keys, place, key);
    insertAt(values, place, value);
  }
  node.settled = keys.length;
}
