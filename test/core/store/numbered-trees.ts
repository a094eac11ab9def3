import { SortedTree } from "../../../src/core/store/tree/sorted-tree.ts";

export type Entry = readonly [key: number, value: string];

/** The n-th of all entries: by key, of which each has five, then by value. */
export function entry(n: number): Entry {
  return [Math.floor(n / 5), `v${n % 5}`];
}

// oxlint-disable-next-line max-params -- as a tree calls it
export function order(
  leftKey: number,
  leftValue: string,
  rightKey: number,
  rightValue: string,
): number {
  if (leftKey !== rightKey) return leftKey - rightKey;
  if (leftValue === rightValue) return 0;
  return leftValue < rightValue ? -1 : 1;
}

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
  tree.visit({ from, to }, (keys, values, { start, end }) => {
    for (let at = start; at < end; at++) entries.push([keys[at] ?? NaN, values[at] ?? ""]);
    return true;
  });
  return entries;
}
