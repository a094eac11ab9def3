/** A token for the tree that may change a node in place. Others copy it first. */
type Owner = object;

/** How entries are ordered, as searches within a node's arrays: most of a tree's work is done in them. */
export interface EntryOrder<K, V> {
  /** The last position in a node whose entry does not come after this one; -1 if all do. */
  readonly floor: (node: TreeNode<K, V>, key: K, value: V) => number;
  /** Whether the entry at a position found by `floor` equals this one. */
  readonly isAt: (node: TreeNode<K, V>, place: number, key: K, value: V) => boolean;
}

/**
 * The most entries of a leaf or nodes of a branch; more are split. A fork copies whole nodes: with 128, a session's first
 * insert takes a quarter longer.
 */
const capacity = 64;

/** Entries per new node. If nodes were full, the first write to each after a fork would split it. */
const filled = (capacity / 8) * 7;

/**
 * A leaf holds entries in order. A branch holds nodes, and for each the lowest entry that it may contain. One class
 * for both keeps the engine's property reads monomorphic.
 */
export class TreeNode<K, V> {
  readonly owner: Owner;
  readonly keys: K[];
  readonly values: V[];
  /** The children of a branch. A leaf has none. */
  readonly nodes: TreeNode<K, V>[] | undefined;
  /** The number of entries in each child, in one array, since a rank is their sum. */
  readonly sizes: number[];
  /**
   * How many entries of a leaf are sorted. Later ones are only sorted when the leaf is read, which makes updates a
   * sixth faster and inserts a quarter.
   */
  settled: number;

  constructor(
    owner: Owner,
    keys: K[],
    values: V[],
    children?: { readonly nodes: TreeNode<K, V>[]; readonly sizes: number[] },
  ) {
    this.owner = owner;
    this.keys = keys;
    this.values = values;
    this.nodes = children?.nodes;
    this.sizes = children?.sizes ?? noSizes;
    this.settled = keys.length;
  }
}

const noSizes: number[] = [];

/** Ranks of entries: from `from` up to but not including `to`. */
export interface RankRange {
  readonly from: number;
  readonly to: number;
}

/** Takes an entry. Returns whether it wants the next one. */
export type Visitor<K, V> = (key: K, value: V) => boolean;

/**
 * Entries in order: a B+ tree whose nodes are shared between forks. A fork costs the same at any size; after it, the
 * first write to a node copies that node and its ancestors, and later writes change the copies in place. Every
 * operation but a visit takes logarithmic time.
 */
export class SortedTree<K, V> {
  readonly #order: EntryOrder<K, V>;
  #root: TreeNode<K, V>;
  #size: number;
  #owner: Owner = {};

  /** Takes the initial entries, in order. */
  constructor(
    order: EntryOrder<K, V>,
    start: { readonly keys: readonly K[]; readonly values: readonly V[] } | TreeNode<K, V>,
  ) {
    this.#order = order;
    this.#root = start instanceof TreeNode ? start : built(this.#owner, start.keys, start.values);
    this.#size = sizeOf(this.#root);
  }

  get size(): number {
    return this.#size;
  }

  /** The root node, for custom searches. */
  get root(): TreeNode<K, V> {
    return this.#root;
  }

  /** An independent tree with the same entries. From now on this one owns none of the nodes either. */
  fork(): SortedTree<K, V> {
    this.#owner = {};
    this.#settle(this.#root);
    return new SortedTree(this.#order, this.#root);
  }

  /** How many entries come before this one, whether it exists or not. */
  rank(key: K, value: V): number {
    let node = this.#root;
    let rank = 0;
    while (node.nodes !== undefined) {
      const at = Math.max(0, this.#order.floor(node, key, value));
      for (let before = 0; before < at; before++) rank += elementAt(node.sizes, before);
      node = elementAt(node.nodes, at);
    }
    this.#settle(node);
    const at = this.#order.floor(node, key, value);
    return rank + (at >= 0 && this.#order.isAt(node, at, key, value) ? at : at + 1);
  }

  /** The entry with this rank, if there is one. */
  at(rank: number): readonly [key: K, value: V] | undefined {
    if (rank < 0 || rank >= this.#size) return undefined;
    let node = this.#root;
    let left = rank;
    while (node.nodes !== undefined) {
      let at = 0;
      for (; left >= elementAt(node.sizes, at); at++) left -= elementAt(node.sizes, at);
      node = elementAt(node.nodes, at);
    }
    this.#settle(node);
    return [elementAt(node.keys, left), elementAt(node.values, left)];
  }

  /** Inserts an entry, or replaces the one equal to it. */
  set(key: K, value: V): void {
    this.#put({ key, value, isNew: false });
  }

  /** Inserts an entry that equals no other. The next read of its leaf finds its position. */
  add(key: K, value: V): void {
    this.#put({ key, value, isNew: true });
  }

  #put(entry: Entry<K, V>): void {
    const root = this.#own(this.#root);
    const sibling = this.#putInto(root, entry);
    this.#root = sibling === undefined ? root : branch(this.#owner, [root, sibling]);
  }

  /** Removes an entry, which must exist. */
  delete(key: K, value: V): void {
    const root = this.#own(this.#root);
    this.#takeFrom(root, key, value);
    this.#size--;
    this.#root = root;
    while (this.#root.nodes?.length === 1) this.#root = elementAt(this.#root.nodes, 0);
    if (this.#size === 0) this.#root = new TreeNode<K, V>(this.#owner, [], []);
  }

  /** Visits a range in order or in reverse. False when the visitor stopped. */
  visit(range: RankRange, visitor: Visitor<K, V>, isBackward = false): boolean {
    return this.#visit(this.#root, range, visitor, isBackward);
  }

  /**
   * The changes since another tree, by key; undefined where an entry is gone. Skips nodes that both share, so that it
   * costs little after few writes. Keys are compared as a Map does.
   */
  differencesFrom(before: SortedTree<K, V>): ReadonlyMap<K, V | undefined> {
    const changed = new Map<K, V | undefined>();
    if (before.#root === this.#root) return changed;
    const old = nodesOf(before.#root);
    const current = nodesOf(this.#root);
    this.#eachOutside(this.#root, old, (key, value) => changed.set(key, value));
    this.#eachOutside(before.#root, current, (key, value) => {
      if (!changed.has(key)) changed.set(key, undefined);
      else if (changed.get(key) === value) changed.delete(key);
    });
    return changed;
  }

  /** Visits the entries of all nodes that are not in `seen`, and adds these nodes to it. */
  visitUnseen(seen: Set<object>, take: (key: K, value: V) => void): void {
    this.#eachOutside(this.#root, seen, take);
    nodesOf(this.#root, seen);
  }

  /** Visits the entries of all leaves below a node that are not in `others`. */
  #eachOutside(
    node: TreeNode<K, V>,
    others: ReadonlySet<object>,
    take: (key: K, value: V) => void,
  ): void {
    if (others.has(node)) return;
    for (const child of node.nodes ?? []) this.#eachOutside(child, others, take);
    if (node.nodes !== undefined) return;
    this.#settle(node);
    for (const [at, key] of node.keys.entries()) take(key, elementAt(node.values, at));
  }

  /** The node itself if this tree owns it, else a copy that it owns. */
  #own(node: TreeNode<K, V>): TreeNode<K, V> {
    if (node.owner === this.#owner) return node;
    this.#settle(node);
    const { keys, values, nodes, sizes } = node;
    return nodes === undefined
      ? new TreeNode(this.#owner, keys.slice(), values.slice())
      : new TreeNode(this.#owner, keys.slice(), values.slice(), {
          nodes: nodes.slice(),
          sizes: sizes.slice(),
        });
  }

  /** Inserts an entry below an owned node. Returns the new node to its right if it was split. */
  #putInto(node: TreeNode<K, V>, entry: Entry<K, V>): TreeNode<K, V> | undefined {
    const { nodes, sizes } = node;
    if (nodes === undefined) return this.#putIntoLeaf(node, entry);
    const at = Math.max(0, this.#order.floor(node, entry.key, entry.value));
    const child = this.#own(elementAt(nodes, at));
    nodes[at] = child;
    const before = this.#size;
    const sibling = this.#putInto(child, entry);
    const moved = sibling === undefined ? 0 : sizeOf(sibling);
    sizes[at] = elementAt(sizes, at) + this.#size - before - moved;
    if (sibling === undefined) return undefined;
    insertAt(nodes, at + 1, sibling);
    insertAt(sizes, at + 1, moved);
    insertAt(node.keys, at + 1, elementAt(sibling.keys, 0));
    insertAt(node.values, at + 1, elementAt(sibling.values, 0));
    return nodes.length > capacity ? split(node) : undefined;
  }

  #putIntoLeaf(
    node: TreeNode<K, V>,
    { key, value, isNew }: Entry<K, V>,
  ): TreeNode<K, V> | undefined {
    const { keys, values } = node;
    if (isNew && keys.length < capacity) {
      this.#size++;
      keys.push(key);
      values.push(value);
      return undefined;
    }
    this.#settle(node);
    const at = this.#order.floor(node, key, value);
    if (at >= 0 && this.#order.isAt(node, at, key, value)) {
      values[at] = value;
      return undefined;
    }
    this.#size++;
    // Entries that arrive in order fill one leaf after the other and leave none half empty.
    if (at + 1 === capacity) return new TreeNode(this.#owner, [key], [value]);
    insertAt(keys, at + 1, key);
    insertAt(values, at + 1, value);
    node.settled++;
    return keys.length > capacity ? split(node) : undefined;
  }

  /** Removes an entry below an owned node, and nodes that become empty. */
  #takeFrom(node: TreeNode<K, V>, key: K, value: V): void {
    const { nodes, sizes, keys, values } = node;
    if (nodes === undefined) {
      const at = this.#placeInLeaf(node, key, value);
      if (at < 0) {
        throw new Error(
          "Cannot remove an entry from a tree: it is not there. This is a bug in Backlot; please report it.",
        );
      }
      removeAt(keys, at);
      removeAt(values, at);
      if (at < node.settled) node.settled--;
      return;
    }
    const at = Math.max(0, this.#order.floor(node, key, value));
    const child = this.#own(elementAt(nodes, at));
    nodes[at] = child;
    this.#takeFrom(child, key, value);
    sizes[at] = elementAt(sizes, at) - 1;
    if (sizes[at] === 0) for (const items of [nodes, sizes, keys, values]) removeAt(items, at);
  }

  /** The position of an entry in a leaf; -1 if it is not there. */
  #placeInLeaf(node: TreeNode<K, V>, key: K, value: V): number {
    const { isAt, floor } = this.#order;
    // Look for the value first: the values of an index are adjacent in memory, its keys are not.
    const found = node.values.indexOf(value);
    if (found >= 0 && isAt(node, found, key, value)) return found;
    this.#settle(node);
    const at = floor(node, key, value);
    return at >= 0 && isAt(node, at, key, value) ? at : -1;
  }

  /**
   * Sorts the entries that a leaf got since it was last read. Its contents stay the same, so other trees may share it.
   */
  #settle(node: TreeNode<K, V>): void {
    const { keys, values, nodes, settled } = node;
    if (settled === keys.length || nodes !== undefined) return;
    const laterKeys = keys.splice(settled);
    const laterValues = values.splice(settled);
    for (const [at, key] of laterKeys.entries()) {
      const value = elementAt(laterValues, at);
      const place = this.#order.floor(node, key, value) + 1;
      insertAt(keys, place, key);
      insertAt(values, place, value);
    }
    node.settled = keys.length;
  }

  #visit(
    node: TreeNode<K, V>,
    { from, to }: RankRange,
    visitor: Visitor<K, V>,
    isBackward: boolean,
  ): boolean {
    const { keys, values, nodes, sizes } = node;
    if (nodes === undefined) {
      this.#settle(node);
      const first = Math.max(from, 0);
      const last = Math.min(to, keys.length) - 1;
      for (let done = 0; done <= last - first; done++) {
        const at = isBackward ? last - done : first + done;
        if (!visitor(elementAt(keys, at), elementAt(values, at))) return false;
      }
      return true;
    }
    let start = isBackward ? sizeOf(node) : 0;
    for (let done = 0; done < nodes.length; done++) {
      const at = isBackward ? nodes.length - 1 - done : done;
      const size = elementAt(sizes, at);
      if (isBackward) start -= size;
      if (from - start < size && to > start) {
        const range = { from: from - start, to: to - start };
        if (!this.#visit(elementAt(nodes, at), range, visitor, isBackward)) return false;
      }
      if (!isBackward) start += size;
    }
    return true;
  }
}

/** An entry to insert. */
interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
  /** Whether it is known to equal no other. */
  readonly isNew: boolean;
}

/** An element that is known to exist: nodes keep arrays of equal length. */
export function elementAt<T>(items: readonly T[], index: number): T {
  return items[index] as T;
}

/** Array.prototype.splice would create an array of the removed elements each time. */
function removeAt(items: unknown[], index: number): void {
  for (let at = index + 1; at < items.length; at++) items[at - 1] = items[at];
  items.pop();
}

/** The opposite of {@link removeAt}. */
function insertAt<T>(items: T[], index: number, item: T): void {
  items.push(item);
  for (let at = items.length - 1; at > index; at--) items[at] = elementAt(items, at - 1);
  items[index] = item;
}

function sizeOf<K, V>(node: TreeNode<K, V>): number {
  const { nodes, sizes } = node;
  return nodes === undefined ? node.keys.length : sizes.reduce((sum, size) => sum + size, 0);
}

/** A branch over nodes in order, none of them empty. */
function branch<K, V>(owner: Owner, nodes: TreeNode<K, V>[]): TreeNode<K, V> {
  const keys = nodes.map((node) => elementAt(node.keys, 0));
  const values = nodes.map((node) => elementAt(node.values, 0));
  return new TreeNode(owner, keys, values, { nodes, sizes: nodes.map(sizeOf) });
}

/** Moves the second half of a node to a new one. */
function split<K, V>(node: TreeNode<K, V>): TreeNode<K, V> {
  const { owner, keys, values, nodes, sizes } = node;
  const at = capacity / 2;
  node.settled = at;
  return nodes === undefined
    ? new TreeNode(owner, keys.splice(at), values.splice(at))
    : new TreeNode(owner, keys.splice(at), values.splice(at), {
        nodes: nodes.splice(at),
        sizes: sizes.splice(at),
      });
}

/** A tree of entries that are already in order. */
function built<K, V>(owner: Owner, keys: readonly K[], values: readonly V[]): TreeNode<K, V> {
  let level: TreeNode<K, V>[] = [];
  for (let at = 0; at < keys.length; at += filled) {
    level.push(new TreeNode(owner, keys.slice(at, at + filled), values.slice(at, at + filled)));
  }
  while (level.length > 1) {
    const above: TreeNode<K, V>[] = [];
    for (let at = 0; at < level.length; at += filled) {
      above.push(branch(owner, level.slice(at, at + filled)));
    }
    level = above;
  }
  return level[0] ?? new TreeNode<K, V>(owner, [], []);
}

/** A node and all below it. */
function nodesOf<K, V>(node: TreeNode<K, V>, found: Set<object> = new Set()): typeof found {
  if (found.has(node)) return found;
  found.add(node);
  for (const child of node.nodes ?? []) nodesOf(child, found);
  return found;
}
