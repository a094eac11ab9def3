import { type EntryOrder, SortedTree } from "../../../src/core/store/sorted-tree.ts";

export type Entry = readonly [key: number, value: string];

/** The n-th of all entries: by key, of which each has five, then by value. */
export function entry(n: number): Entry {
  return [Math.floor(n / 5), `v${n % 5}`];
}

type Comparison<V> = (...entries: [key: number, value: V, otherKey: number, other: V]) => number;

/** The order that a comparison gives. */
export function comparedOrder<V>(compare: Comparison<V>): EntryOrder<number, V> {
  const signAt = (
    { keys, values }: { readonly keys: readonly number[]; readonly values: readonly V[] },
    ...[at, key, value]: [at: number, key: number, value: V]
  ): number => compare(keys[at] ?? NaN, values[at] ?? value, key, value);
  return {
    floor: (node, key, value) =>
      node.keys.findLastIndex((_, at) => signAt(node, at, key, value) <= 0),
    isAt: (node, place, key, value) => signAt(node, place, key, value) === 0,
  };
}

export const order: EntryOrder<number, string> = comparedOrder(
  (leftKey: number, leftValue: string, rightKey: number, rightValue: string) => {
    if (leftKey !== rightKey) return leftKey - rightKey;
    if (leftValue === rightValue) return 0;
    return leftValue < rightValue ? -1 : 1;
  },
);

/** The numbers up to a count. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

/** A tree of the entries of numbers, which are in order. */
export function treeOf(numbers: readonly number[]): SortedTree<number, string> {
  const entries = numbers.map(entry);
  const keys = entries.map(([key]) => key);
  return new SortedTree(order, { keys, values: entries.map(([, value]) => value) });
}

/** The entries of a range of ranks. */
export function entriesOf(tree: SortedTree<number, string>, from = 0, to = tree.size): Entry[] {
  const entries: Entry[] = [];
  tree.visit({ from, to }, (key, value) => entries.push([key, value]) > 0);
  return entries;
}

/** The value of the entry that a tree has in the place of this one; undefined if it has none. */
export function valueIn<V>(
  tree: SortedTree<number, V>,
  key: number,
  value: V,
  isSame: (found: V) => boolean = (found) => found === value,
): V | undefined {
  const [foundKey, found] = tree.at(tree.rank(key, value)) ?? [];
  return found !== undefined && foundKey === key && isSame(found) ? found : undefined;
}
