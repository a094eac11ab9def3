import { expect, test } from "vitest";
import { SortedTree } from "../../../src/core/store/sorted-tree.ts";
import {
  comparedOrder,
  entriesOf,
  type Entry,
  entry,
  treeOf,
  upTo,
  valueIn,
} from "./numbered-trees.ts";

/** By the key alone, so that an entry with another value takes the place of the one that is there. */
const byKey = comparedOrder<string>((leftKey, _, rightKey) => leftKey - rightKey);

/** The numbers up to a count, each once, in an order that looks like none. */
function shuffled(count: number): number[] {
  return upTo(count).map((at) => (at * 7919) % count);
}

/** How many entries or nodes the fullest node has. */
function widest({ keys, nodes }: SortedTree<number, string>["root"]): number {
  return Math.max(keys.length, ...(nodes ?? []).map(widest));
}

function backward(tree: SortedTree<number, string>, from: number, to: number): Entry[] {
  const entries: Entry[] = [];
  tree.visit({ from, to }, (key, value) => entries.push([key, value]) > 0, true);
  return entries;
}

const size = 2_000;
const orders: readonly (readonly [string, readonly number[]])[] = [
  ["ascending", upTo(size)],
  ["descending", upTo(size).toReversed()],
  ["no", shuffled(size)],
];

test.each(orders)("has its entries in order when they come in %s order", (_, numbers) => {
  const set = treeOf([]);
  const added = treeOf([]);
  for (const n of numbers) set.set(...entry(n));
  for (const n of numbers) added.add(...entry(n));
  for (const tree of [set, added]) {
    expect(tree.size).toBe(size);
    expect(entriesOf(tree)).toEqual(upTo(size).map(entry));
    expect(widest(tree.root)).toBeLessThanOrEqual(64);
  }
});

test.each(orders)("loses only what is taken out, in %s order", (_, numbers) => {
  const tree = treeOf(upTo(size));
  const left = new Set(numbers);
  for (const n of numbers) {
    tree.delete(...entry(n));
    left.delete(n);
    if (left.size % 250 !== 0) continue;
    expect(tree.size).toBe(left.size);
    expect(entriesOf(tree)).toEqual([...left].toSorted((one, other) => one - other).map(entry));
    expect(widest(tree.root)).toBeLessThanOrEqual(64);
  }
  tree.set(...entry(5));
  expect(entriesOf(tree)).toEqual([entry(5)]);
});

test.each(orders)("takes in what is put between reads, in %s order", (_, numbers) => {
  const tree = treeOf([]);
  const there = new Set<number>();
  const probe = entry(size / 2);
  for (const [at, n] of numbers.entries()) {
    tree.add(...entry(n));
    there.add(n);
    if (at % 3 === 0) {
      tree.delete(...entry(n));
      there.delete(n);
    }
    const expected = there.has(size / 2) ? probe[1] : undefined;
    if (at % 10 === 0) expect(valueIn(tree, ...probe)).toBe(expected);
  }
  const sorted = [...there].toSorted((one, other) => one - other);
  expect(entriesOf(tree)).toEqual(sorted.map(entry));
});

test.each([
  ["first", upTo(25_088)],
  ["last", upTo(25_088).toReversed()],
])("has what is left in order where the %s entries are taken out", (_, numbers) => {
  const tree = treeOf(upTo(25_088));
  for (const [from, to] of [
    [0, 11_500],
    [11_500, 24_000],
  ]) {
    for (const n of numbers.slice(from, to)) tree.delete(...entry(n));
    const left = numbers.slice(to).toSorted((one, other) => one - other);
    expect(entriesOf(tree)).toEqual(left.map(entry));
    expect(left.filter((n, rank) => tree.rank(...entry(n)) !== rank)).toEqual([]);
    expect(left.filter((n) => valueIn(tree, ...entry(n)) !== entry(n)[1])).toEqual([]);
    expect(widest(tree.root)).toBeLessThanOrEqual(64);
  }
});

test("loses the nodes that are empty", () => {
  const tree = treeOf(upTo(25_088));
  for (const n of upTo(25_088).slice(56)) tree.delete(...entry(n));
  expect(tree.root.nodes).toBeUndefined();
  expect(entriesOf(tree)).toEqual(upTo(56).map(entry));
});

test("has as many nodes as its entries fill to seven eighths", () => {
  const roots = [56, 57, 112, 3_136, 3_137].map((count) => treeOf(upTo(count)).root);
  expect(roots.map(({ nodes }) => nodes?.length)).toEqual([undefined, 2, 2, 56, 2]);
});

test("writes in place what it shares with no fork", () => {
  const tree = treeOf(upTo(300));
  const { root } = tree;
  tree.set(...entry(400));
  tree.delete(...entry(7));
  expect(tree.root).toBe(root);
  const fork = tree.fork();
  tree.set(...entry(401));
  expect([fork.root === root, tree.root === root]).toEqual([true, false]);
});

/** Three nodes deep. */
const many = upTo(20_000).map((at) => at * 2);

test("ranks and finds entries that are there, and places of those that are not", () => {
  const tree = treeOf(many);
  const ranks = many.filter((n) => tree.rank(...entry(n)) !== n / 2);
  const between = many.filter((n) => tree.rank(...entry(n + 1)) !== n / 2 + 1);
  expect([ranks, between]).toEqual([[], []]);
  expect(tree.rank(-1, "")).toBe(0);
  const found = [0, 2, 9_000, 39_998].map((n) => valueIn(tree, ...entry(n)));
  expect(found).toEqual(["v0", "v2", "v0", "v3"]);
  const missing = [-1, 7, 223, 225, 40_000].map((n) => valueIn(tree, ...entry(n)));
  expect(missing).toEqual(missing.map(() => undefined));
});

test("gives the entry with a rank, and none beyond its ends", () => {
  const tree = treeOf(many);
  const ranks = [0, 1, 55, 56, 3_135, 3_136, 19_999];
  expect(ranks.map((rank) => tree.at(rank))).toEqual(ranks.map((rank) => entry(rank * 2)));
  expect([tree.at(-1), tree.at(20_000)]).toEqual([undefined, undefined]);
  const small = treeOf([1, 2]);
  expect([-1, 0, 1, 2].map((rank) => small.at(rank))).toEqual([
    undefined,
    entry(1),
    entry(2),
    undefined,
  ]);
});

test.each([
  [0, 20_000],
  [0, 1],
  [111, 113],
  [3_135, 3_137],
  [300, 15_000],
  [19_999, 20_000],
  [-5, 3],
  [19_990, 30_000],
  [7, 7],
  [50, 40],
])("visits the entries from rank %d up to %d, either way", (from, to) => {
  const tree = treeOf(many);
  const expected = many.slice(Math.max(from, 0), Math.max(to, 0)).map(entry);
  const wanted = from < to ? expected : [];
  expect(entriesOf(tree, from, to)).toEqual(wanted);
  expect(backward(tree, from, to)).toEqual(wanted.toReversed());
});

test("visits no entry after the one at which the visitor has enough", () => {
  const tree = treeOf(many);
  const range = { from: 0, to: tree.size };
  for (const isBackward of [false, true]) {
    let visits = 0;
    expect([tree.visit(range, () => ++visits < 300, isBackward), visits]).toEqual([false, 300]);
    expect(tree.visit(range, () => true, isBackward)).toBe(true);
  }
});

test("replaces an entry that is equal to the one set", () => {
  const values = many.map((n) => `v${n}`);
  const tree = new SortedTree(byKey, { keys: many, values });
  for (const key of [0, 222, 224, 39_998]) tree.set(key, "new");
  expect(tree.size).toBe(20_000);
  const found = [0, 222, 224, 39_998, 226].map((key) => valueIn(tree, key, "", () => true));
  expect(found).toEqual(["new", "new", "new", "new", "v226"]);
});

test("keeps a fork and what it was forked from apart, whichever is written", () => {
  const first = treeOf(many);
  const second = first.fork();
  const third = second.fork();
  for (let n = 1; n < 2_000; n += 2) first.set(...entry(n));
  for (let n = 0; n < 20_000; n += 2) second.delete(...entry(n));
  expect(entriesOf(first).length).toBe(21_000);
  expect(entriesOf(second)).toEqual(many.slice(10_000).map(entry));
  expect(entriesOf(third)).toEqual(many.map(entry));
  expect([first.size, second.size, third.size]).toEqual([21_000, 10_000, 20_000]);
});

test("divides branches that have too many leaves", () => {
  const tree = treeOf([]);
  for (const n of upTo(17_000)) tree.set(...entry(n));
  expect(widest(tree.root)).toBeLessThanOrEqual(64);
  expect(entriesOf(tree)).toEqual(upTo(17_000).map(entry));
});

test("fills its leaves when entries come in order", () => {
  const tree = treeOf([]);
  for (const n of upTo(1_280)) tree.set(...entry(n));
  expect(tree.root.nodes?.map(({ keys }) => keys.length)).toEqual(upTo(20).map(() => 64));
});

test("refuses to take out what is not there, and changes nothing", () => {
  const tree = treeOf(many);
  for (const n of [-1, 7, 40_000]) {
    expect(() => tree.delete(...entry(n))).toThrow("Cannot remove an entry from a tree");
  }
  expect(entriesOf(tree)).toEqual(many.map(entry));
});
