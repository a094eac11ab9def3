import { expect, test } from "vitest";
import type { SortedTree } from "../../../src/core/store/tree/sorted-tree.ts";
import { entriesOf, entry, treeOf, upTo } from "./numbered-trees.ts";

/** The leaves below a root that is a branch over leaves. */
function leavesOf(tree: SortedTree<number, string>): readonly (typeof tree.root)[] {
  return tree.root.below?.nodes ?? [];
}

test("copies a leaf that a fork shares when somebody reads it", () => {
  const fork = treeOf(upTo(300).map((n) => n * 2)).fork();
  fork.add(...entry(1));
  fork.drop(...entry(10));
  const [written, other] = leavesOf(fork);
  expect([written?.keys, written?.share?.dropped]).toEqual([[entry(1)[0]], [5]]);
  expect(other?.share).toBeUndefined();
  const left = upTo(300).map((n) => n * 2);
  expect(entriesOf(fork)).toEqual([0, 1, ...left.slice(1, 5), ...left.slice(6)].map(entry));
  expect([written?.share, written?.keys.length]).toEqual([undefined, 112]);
});

test("copies a leaf that a fork shares when it was changed sixteen times", () => {
  const fork = treeOf(upTo(300)).fork();
  for (const n of upTo(8)) fork.drop(...entry(n));
  for (const n of upTo(8)) fork.add(...entry(n));
  const [written] = leavesOf(fork);
  expect(written?.share?.dropped).toHaveLength(8);
  fork.drop(...entry(20));
  expect([written?.share, written?.keys.length]).toEqual([undefined, 111]);
});

test("copies a small leaf at once", () => {
  const tree = treeOf(upTo(112 + 31));
  const fork = tree.fork();
  fork.add(...entry(200));
  fork.drop(...entry(3));
  expect(leavesOf(fork).map(({ share }) => share === undefined)).toEqual([false, true]);
});

test("takes out of a fork what it took out before and got again", () => {
  const fork = treeOf(upTo(300)).fork();
  for (const write of ["drop", "add", "drop", "add", "add", "drop"] as const) {
    fork[write](...entry(write === "add" && fork.size === 300 ? 400 : 7));
  }
  expect(entriesOf(fork)).toEqual([...upTo(7), ...upTo(300).slice(8), 400].map(entry));
});

test("copies a leaf that a fork shares when it got sixteen entries", () => {
  const fork = treeOf(upTo(112 + 40)).fork();
  for (const n of upTo(16)) fork.add(...entry(200 + n));
  expect(leavesOf(fork)[1]?.share).toBeDefined();
  fork.add(...entry(216));
  expect([leavesOf(fork)[1]?.share, leavesOf(fork)[1]?.keys.length]).toEqual([undefined, 57]);
});

test("joins no leaves of a fork that do not fit into one", () => {
  const fork = treeOf(upTo(112 + 40)).fork();
  for (const n of upTo(9)) fork.drop(...entry(120 + n));
  expect(entriesOf(fork)).toHaveLength(112 + 31);
  expect(leavesOf(fork).map(({ keys }) => keys.length)).toEqual([112, 31]);
});
