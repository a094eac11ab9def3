import {
  type EntryOrder,
  type Owner,
  type TreeNode,
  branch,
  capacity,
  elementAt,
  leaf,
  sizeOf,
} from "./node.ts";
import {
  type LeafVisitor,
  type RankRange,
  rankOf,
  valueOf,
  visit,
  visitBackward,
} from "./search.ts";
import { inserted, removed } from "./write.ts";

/**
 * Entries in order: a B+ tree whose nodes are shared between forks. A fork costs the same at any size; after
 * it, the first write to a node copies that node and those above it, and later writes change the copies in
 * place. Every operation but a visit takes steps that grow with the logarithm of the size, to the base 32 or
 * more.
 */
export class SortedTree<K, V> {
  readonly #order: EntryOrder<K, V>;
  #root: TreeNode<K, V>;
  #size: number;
  #owner: Owner = {};

  /** Takes the entries it starts with in order. */
  constructor(
    order: EntryOrder<K, V> | EntryComparison<K, V>,
    start: { readonly keys: readonly K[]; readonly values: readonly V[] } | TreeNode<K, V> = {
      keys: [],
      values: [],
    },
  ) {
    this.#order = typeof order === "function" ? comparedOrder(order) : order;
    this.#root = "owner" in start ? start : built(this.#owner, start.keys, start.values);
    this.#size = sizeOf(this.#root);
  }

  get size(): number {
    return this.#size;
  }

  /** The topmost node, for searches of one's own. */
  get root(): TreeNode<K, V> {
    return this.#root;
  }

  /** A tree of its own with the same entries. From now on this one owns none of the nodes either. */
  fork(): SortedTree<K, V> {
    this.#owner = {};
    return new SortedTree(this.#order, this.#root);
  }

  /** How many entries come before this one, whether it is there or not. */
  rank(key: K, value: V): number {
    return rankOf(this.#root, { key, value, order: this.#order });
  }

  /** The value of the entry that is equal to this one. */
  find(key: K, value: V): V | undefined {
    return valueOf(this.#root, { key, value, order: this.#order });
  }

  /** The entry with this rank, if there is one. */
  at(rank: number): readonly [key: K, value: V] | undefined {
    let found: readonly [K, V] | undefined;
    if (rank < 0 || rank >= this.size) return undefined;
    this.visit({ from: rank, to: rank + 1 }, (keys, values, { start }) => {
      found = [elementAt(keys, start), elementAt(values, start)];
      return false;
    });
    return found;
  }

  /** Puts an entry in, in place of one that is equal to it. */
  set(key: K, value: V): void {
    const entry = { key, value, order: this.#order, isNew: false };
    const { root, isNew } = inserted(this.#root, entry, this.#owner);
    this.#root = root;
    if (isNew) this.#size++;
  }

  /** Puts in an entry that is equal to none, and leaves it to the next read to find its place in its leaf. */
  add(key: K, value: V): void {
    const entry = { key, value, order: this.#order, isNew: true };
    this.#root = inserted(this.#root, entry, this.#owner).root;
    this.#size++;
  }

  /** Takes an entry out, which must be there. */
  delete(key: K, value: V): void {
    this.#remove(key, value, false);
  }

  /** As {@link delete}, and leaves it to the next read to copy a leaf that is shared. */
  drop(key: K, value: V): void {
    this.#remove(key, value, true);
  }

  #remove(key: K, value: V, isUnread: boolean): void {
    const entry = { key, value, order: this.#order, isUnread };
    this.#root = removed(this.#root, entry, this.#owner);
    this.#size--;
  }

  visit(range: RankRange, visitor: LeafVisitor<K, V>): boolean {
    return visit(this.#root, range, { order: this.#order, visitor });
  }

  visitBackward(range: RankRange, visitor: LeafVisitor<K, V>): boolean {
    return visitBackward(this.#root, range, { order: this.#order, visitor });
  }
}

/** Negative, zero or positive as the left entry comes before, with or after the right one. */
type EntryComparison<K, V> = (leftKey: K, leftValue: V, rightKey: K, rightValue: V) => number;

/** The order that a comparison gives. With searches of its own, as an index has, a write takes a tenth less. */
function comparedOrder<K, V>(compare: EntryComparison<K, V>): EntryOrder<K, V> {
  const order: EntryOrder<K, V> = {
    lowerBound: ({ keys, values }, key, value) => {
      let low = 0;
      let high = keys.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const sign = compare(elementAt(keys, middle), elementAt(values, middle), key, value);
        if (sign < 0) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    isAt: ({ keys, values }, place, key, value) =>
      place < keys.length &&
      compare(elementAt(keys, place), elementAt(values, place), key, value) === 0,
    placeOf: (node, key, value) => {
      const place = order.lowerBound(node, key, value);
      return order.isAt(node, place, key, value) ? place : -1;
    },
  };
  return order;
}

/** Entries of each node. Where all were full, the first write to each would split it, and that after every fork. */
const filled = (capacity / 8) * 7;

/** A tree of entries that are in order already. */
function built<K, V>(owner: Owner, keys: readonly K[], values: readonly V[]): TreeNode<K, V> {
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
