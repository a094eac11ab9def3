import fc from "fast-check";
import { expect, test } from "vitest";
import { indexOrder } from "../../../src/core/store/sorted-index.ts";
import { compareOrderValues, type OrderValue } from "../../../src/core/store/order-value.ts";
import { type RowId, compareRowIds } from "../../../src/core/store/value.ts";
import { TreeNode } from "../../../src/core/store/sorted-tree.ts";
import { tries } from "../../support/tries.ts";

type Entry = readonly [key: OrderValue, id: RowId];

function compare(left: Entry, right: Entry): number {
  return compareOrderValues(left[0], right[0]) || compareRowIds(left[1], right[1]);
}

/** Few values, so that many are equal: doubles and bigints among themselves and with each other. */
const keys: readonly OrderValue[] = [
  null,
  -Infinity,
  -(2 ** 63),
  -1,
  -0,
  0,
  0.5,
  2 ** 60,
  2 ** 63,
  -(2n ** 63n),
  2n ** 60n,
  2n ** 60n + 1n,
  2n ** 63n - 1n,
  "",
  "a",
  "b",
  new Uint8Array(),
  new Uint8Array([1]),
];
const id = fc.constantFrom<RowId>(-1, 1, 2, 3, 2 ** 60, 2n ** 60n + 1n, -Infinity, Infinity);
const entry = fc.tuple(fc.constantFrom(...keys), id);

test("finds the place of an entry among those of any kinds", () => {
  const property = fc.property(fc.array(entry, { maxLength: 40 }), entry, (given, one) => {
    const entries = given.toSorted(compare);
    const node = new TreeNode(
      {},
      entries.map(([own]) => own),
      entries.map(([, own]) => own),
    );
    const upTo = entries.filter((each) => compare(each, one) <= 0).length;
    const isThere = entries.some((each) => compare(each, one) === 0);
    expect(indexOrder.floor(node, ...one)).toBe(upTo - 1);
    if (upTo > 0) expect(indexOrder.isAt(node, upTo - 1, ...one)).toBe(isThere);
  });
  fc.assert(property, { numRuns: tries(2000) });
});
