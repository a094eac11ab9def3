import fc from "fast-check";
import { expect, test } from "vitest";
import { SortedTree } from "../../../src/core/store/sorted-tree.ts";
import { tries } from "../../support/tries.ts";
import { comparedOrder, valueIn } from "./numbered-trees.ts";

type Entry = readonly [key: number, value: number];

const order = (leftKey: number, leftValue: number, rightKey: number, rightValue: number): number =>
  leftKey - rightKey || leftValue - rightValue;

const treeOrder = comparedOrder(order);

function emptyTree(): SortedTree<number, number> {
  return new SortedTree(treeOrder, { keys: [], values: [] });
}

function entriesOf(tree: SortedTree<number, number>, from = 0, to = tree.size): Entry[] {
  const entries: Entry[] = [];
  tree.visit({ from, to }, (key, value) => entries.push([key, value]) > 0);
  return entries;
}

/** A set of entries that nothing is clever about. */
class NaiveTree {
  entries: Entry[];

  constructor(entries: readonly Entry[]) {
    this.entries = [...entries];
  }

  has([key, value]: Entry): boolean {
    return this.entries.some(([k, v]) => k === key && v === value);
  }

  set(entry: Entry): void {
    const others = this.entries.filter(([k, v]) => order(k, v, ...entry) !== 0);
    this.entries = [...others, entry].toSorted((left, right) => order(...left, ...right));
  }

  delete([key, value]: Entry): void {
    this.entries = this.entries.filter(([k, v]) => k !== key || v !== value);
  }
}

/** Puts an entry in as one that may be there, or, by its key, as one that is known not to be. */
function put(tree: SortedTree<number, number>, one: Entry, isThere: boolean): void {
  if (isThere || one[0] % 3 === 0) tree.set(...one);
  else tree.add(...one);
}

const entry = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 3 }));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("set" as const), entry }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("delete" as const), entry }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("fork" as const), entry }) },
);

test("keeps the entries of a sorted list through any writes, and none of a fork's writes", () => {
  const property = fc.property(
    fc.uniqueArray(entry, { maxLength: 300, selector: (one) => one.join() }),
    fc.array(step, { minLength: 50, maxLength: 600 }),
    (given, steps) => {
      const start = given.toSorted((left, right) => order(...left, ...right));
      const keys = start.map(([key]) => key);
      let tree = new SortedTree(treeOrder, { keys, values: start.map(([, value]) => value) });
      const naive = new NaiveTree(start);
      const forks: { readonly tree: typeof tree; readonly entries: readonly Entry[] }[] = [];
      for (const { kind, entry: one } of steps) {
        if (kind === "set") put(tree, one, naive.has(one));
        else if (kind === "delete" && naive.has(one)) tree.delete(...one);
        if (kind === "fork") {
          forks.push({ tree, entries: naive.entries });
          tree = tree.fork();
        } else naive[kind](one);
      }
      expect(entriesOf(tree)).toEqual(naive.entries);
      for (const fork of forks) expect(entriesOf(fork.tree)).toEqual(fork.entries);
    },
  );
  fc.assert(property, { numRuns: tries(60) });
});

const writes = fc.record({
  kind: fc.constantFrom("write", "write", "write", "write", "write", "write", "fork", "read"),
  entry: fc.tuple(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 1 })),
  isUnread: fc.boolean(),
  pick: fc.nat(),
});

/** Takes an entry out where it is there, else puts it in; with or without a look at its leaf. */
function toggle(
  { tree, naive }: { readonly tree: SortedTree<number, number>; readonly naive: NaiveTree },
  one: Entry,
  isUnread: boolean,
): void {
  const isThere = naive.has(one);
  if (isThere) naive.delete(one);
  else naive.set(one);
  if (isThere) tree.delete(...one);
  else if (isUnread) tree.add(...one);
  else tree.set(...one);
}

test("keeps forks apart that are all written and read, whether leaves are read or not", () => {
  const property = fc.property(
    fc.integer({ min: 40, max: 600 }),
    fc.array(writes, { minLength: 100, maxLength: 500 }),
    (size, steps) => {
      const keys = Array.from({ length: size }, (_, at) => at);
      const first = new SortedTree(treeOrder, { keys, values: keys.map(() => 0) });
      const all = [{ tree: first, naive: new NaiveTree(keys.map((key): Entry => [key, 0])) }];
      for (const { kind, entry: one, isUnread, pick } of steps) {
        const own = all[pick % all.length] ?? { tree: first, naive: new NaiveTree([]) };
        const { tree, naive } = own;
        if (kind === "fork") all.push({ tree: tree.fork(), naive: new NaiveTree(naive.entries) });
        else if (kind === "write") toggle(own, one, isUnread);
        else expect(valueIn(tree, ...one)).toBe(naive.has(one) ? one[1] : undefined);
      }
      for (const { tree, naive } of all) expect(entriesOf(tree)).toEqual(naive.entries);
    },
  );
  fc.assert(property, { numRuns: tries(60) });
});

test("puts in order what many writes between two reads left", () => {
  const property = fc.property(
    fc.uniqueArray(fc.integer({ min: 0, max: 3000 }), { minLength: 500, maxLength: 900 }),
    fc.integer({ min: 2, max: 6 }),
    (keys, kept) => {
      const tree = emptyTree();
      for (const key of keys) tree.add(key, 0);
      for (const [at, key] of keys.entries()) if (at % kept > 0) tree.delete(key, 0);
      for (const [at, key] of keys.entries()) if (at % kept === 1) tree.add(key, 0);
      const left = keys.filter((_, at) => at % kept < 2).toSorted((one, other) => one - other);
      expect(entriesOf(tree)).toEqual(left.map((key) => [key, 0]));
    },
  );
  fc.assert(property, { numRuns: tries(60) });
});

test("refuses to take out an entry that is not there, and takes out no other", () => {
  const tree = emptyTree();
  for (const key of [1, 3]) tree.add(key, 0);
  expect(() => tree.delete(2, 0)).toThrow("bug");
  expect(entriesOf(tree)).toEqual([
    [1, 0],
    [3, 0],
  ]);
});

test("ranks, finds and visits as a sorted list does", () => {
  const property = fc.property(
    fc.array(entry, { maxLength: 500 }),
    entry,
    fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 500 })),
    (given, probe, [from, to]) => {
      const tree = emptyTree();
      const naive = new NaiveTree([]);
      for (const one of given) {
        tree.set(...one);
        naive.set(one);
      }
      const backward: Entry[] = [];
      tree.visit({ from, to }, (key, value) => backward.push([key, value]) > 0, true);
      expect(entriesOf(tree, from, to)).toEqual(naive.entries.slice(from, Math.max(from, to)));
      expect(backward).toEqual(naive.entries.slice(from, Math.max(from, to)).toReversed());
      expect(tree.rank(...probe)).toBe(
        naive.entries.filter((one) => order(...one, ...probe) < 0).length,
      );
      expect(valueIn(tree, ...probe)).toBe(naive.has(probe) ? probe[1] : undefined);
      expect(tree.at(from)).toEqual(naive.entries[from]);
    },
  );
  fc.assert(property, { numRuns: tries(200) });
});
