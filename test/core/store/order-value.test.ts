import { expect, test } from "vitest";
import type { ColumnKind } from "../../../src/core/store/column-kinds.ts";
import {
  compareOrderValues,
  orderKey,
  orderKeys,
  orderValue,
  type OrderValue,
} from "../../../src/core/store/order-value.ts";
import {
  BlobValue,
  ExactInteger,
  type Value,
  WholeReal,
  compareRowIds,
} from "../../../src/core/store/value.ts";

function bytes(...all: readonly number[]): Uint8Array {
  return Uint8Array.from(all);
}

/** In their order; values in one list are equal. */
const ranks: readonly (readonly OrderValue[])[] = [
  [null],
  [-Infinity],
  [-1e300],
  [-(2 ** 63), -(2n ** 63n)],
  [-1, -1n],
  [-0.5],
  [0, -0, 0n],
  [0.5],
  [1, 1n],
  [2 ** 53, 2n ** 53n],
  [2n ** 53n + 1n],
  [2n ** 63n - 1n],
  [2 ** 63],
  [Infinity],
  [""],
  ["A"],
  ["a"],
  ["ab"],
  ["b"],
  [bytes()],
  [bytes(0)],
  [bytes(1)],
  [bytes(1, 0)],
  [bytes(1, 2)],
  [bytes(2)],
  [bytes(255)],
];

const ranked = ranks.flatMap((equal, rank) => equal.map((value) => ({ value, rank })));

test("puts NULL before numbers, those before texts, and those before blobs", () => {
  for (const left of ranked) {
    const signs = ranked.map(({ value }) => Math.sign(compareOrderValues(left.value, value)));
    expect(signs).toEqual(ranked.map(({ rank }) => Math.sign(left.rank - rank)));
  }
});

test("gives one key to equal values, to others different ones, and none to NULL", () => {
  const keys = ranks.map((equal) => new Set(equal.map((value) => orderKey(value))));
  expect(keys.map(({ size }) => size)).toEqual(ranks.map(() => 1));
  expect(new Set(keys.flatMap((own) => [...own])).size).toBe(ranks.length);
  expect(orderKey(null)).toBeUndefined();
});

test("gives one key to several values together, unless one of them is NULL", () => {
  expect(orderKeys(["a", 1])).toBe(orderKeys(["a", 1n]));
  expect(orderKeys(["a,b", "c"])).not.toBe(orderKeys(["a", "b,c"]));
  expect(orderKeys(["a", "b"])).not.toBe(orderKeys(["b", "a"]));
  expect(orderKeys(["1"])).not.toBe(orderKeys([1]));
  expect(orderKeys(["a"])).toBe(orderKey("a"));
  expect([orderKeys([1, null]), orderKeys([null])]).toEqual([undefined, undefined]);
});

const exact = new ExactInteger(2n ** 60n + 1n);
const blob = bytes(1, 2);

test.each<readonly [Value, ColumnKind, OrderValue]>([
  [null, "JSON", null],
  [5, "INTEGER", 5],
  [5, "JSON", "5"],
  ["5", "JSON", '"5"'],
  [true, "JSON", "true"],
  [true, "BOOLEAN", 1],
  [false, "BOOLEAN", 0],
  [true, "ANY", 1],
  ["5.0", "NUMERIC", 5],
  ["five", "NUMERIC", "five"],
  ["5.0", "TEXT", "5.0"],
  ["5.0", "INTEGER", "5.0"],
  [[1, { a: null }], "ANY", '[1,{"a":null}]'],
  [{ a: "b c" }, "JSON", '{"a":"b c"}'],
  [exact, "INTEGER", exact.value],
  [new WholeReal(5), "NONE", 5],
  [new BlobValue(blob), "NONE", blob],
])("takes %j in a column of kind %s for %s", (value, kind, expected) => {
  expect(orderValue(value, { kind, collation: "BINARY" })).toEqual(expected);
});

test("compares what is in a document by the column's collation too", () => {
  const rules = { kind: "ANY", collation: "NOCASE" } as const;
  expect(orderValue({ a: "B" }, rules)).toBe('{"a":"b"}');
  expect(orderValue("B ", rules)).toBe("b ");
  expect(orderValue("B ", { ...rules, collation: "RTRIM" })).toBe("B");
  expect(orderValue("B ", { ...rules, collation: "BINARY" })).toBe("B ");
});

test("compares row ids by their numbers, however they are held", () => {
  const ids = [-5, 0, 1, 2n ** 53n, 2n ** 53n + 1n, 2 ** 60] as const;
  for (const [at, left] of ids.entries()) {
    const signs = ids.map((right) => compareRowIds(left, right));
    expect(signs).toEqual(ids.map((_, other) => Math.sign(at - other)));
  }
  expect(compareRowIds(5, 5n)).toBe(0);
});
