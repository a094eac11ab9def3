import { expect, test } from "vitest";
import { indexOrder } from "../../../src/core/store/sorted-index.ts";
import type { OrderValue } from "../../../src/core/store/order-value.ts";
import type { RowId } from "../../../src/core/store/value.ts";
import { TreeNode } from "../../../src/core/store/sorted-tree.ts";

type Entry = readonly [key: OrderValue, id: RowId];

/** In the order of an index: by key, then by row id. */
const ordered: readonly Entry[] = [
  [null, 1],
  [null, 4],
  [-1, 3],
  [0, 2],
  [0, 5],
  [2 ** 53, 1],
  [2n ** 53n, 2],
  [2 ** 53, 3],
  [2n ** 53n + 1n, 0],
  [2n ** 53n + 1n, 2n ** 60n + 1n],
  ["", 9],
  ["a", 1],
  ["a", 7],
  ["b", 0],
  [new Uint8Array([1]), 2],
  [new Uint8Array([1]), 3],
  [new Uint8Array([2]), 1],
];

function nodeOf(entries: readonly Entry[]): TreeNode<OrderValue, RowId> {
  return new TreeNode<OrderValue, RowId>(
    {},
    entries.map(([key]) => key),
    entries.map(([, id]) => id),
  );
}

test("finds the place of each entry, whether it is there or not", () => {
  const whole = nodeOf(ordered);
  for (const [at, one] of ordered.entries()) {
    const without = nodeOf(ordered.toSpliced(at, 1));
    expect([whole, without].map((node) => indexOrder.floor(node, ...one))).toEqual([at, at - 1]);
  }
});

test("says of each place whether an entry is there", () => {
  const node = nodeOf(ordered);
  for (const [at, one] of ordered.entries()) {
    const places = ordered.map((_, place) => indexOrder.isAt(node, place, ...one));
    expect(places).toEqual(ordered.map((_, place) => place === at));
  }
});

test("comes before all entries of a key with the least id, and behind them with the greatest", () => {
  const node = nodeOf(ordered);
  const range = (key: OrderValue): readonly number[] => [
    indexOrder.floor(node, key, -Infinity) + 1,
    indexOrder.floor(node, key, Infinity) + 1,
  ];
  const keys = [null, 0, 2 ** 53, 2n ** 53n, "a", "aa", new Uint8Array([1]), 1, 1n, -5];
  expect(keys.map(range)).toEqual([
    [0, 2],
    [3, 5],
    [5, 8],
    [5, 8],
    [11, 13],
    [13, 13],
    [14, 16],
    [5, 5],
    [5, 5],
    [2, 2],
  ]);
});
