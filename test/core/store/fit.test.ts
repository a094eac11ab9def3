import { expect, test } from "vitest";
import { affinityFit, strictFit } from "../../../src/core/store/storage-rules.ts";
import {
  BlobValue,
  ExactInteger,
  integerValue,
  realValue,
  WholeReal,
} from "../../../src/core/store/value.ts";

test.each([
  ["INTEGER", [0, -5, 5.0, 2 ** 60], [1.5, "5", true, Infinity, NaN, [], {}]],
  ["REAL", [0, 1.5, -2], ["1.5", true, Infinity, []]],
  ["TEXT", ["", "a"], [5, true, [], {}]],
  ["BOOLEAN", [true, false, 0, 1], [2, "true", []]],
  ["NUMERIC", [5, 1.5, "2024-01-01", "5"], [true, [], {}, Infinity]],
  ["JSON", [5, "a", true, [1], { a: [null] }], [Infinity, [NaN], new Date(0), undefined]],
  ["ANY", [5, "a", true, [1], {}], [-Infinity, { a: Symbol("s") }, 5n]],
  ["NONE", [5, "a", true, [1], {}], [NaN, () => 1]],
] as const)("decides what fits %s", (kind, fitting, unfit) => {
  for (const value of fitting) expect(strictFit(value, kind)).toEqual({ ok: true, value });
  for (const value of unfit) expect(strictFit(value, kind)).toMatchObject({ ok: false });
});

test("stores a copy that nobody can change", () => {
  const value = { tags: ["a"] };
  const fitting = strictFit(value, "JSON");
  value.tags.push("b");
  expect(fitting).toEqual({ ok: true, value: { tags: ["a"] } });
  expect(fitting.ok && Object.isFrozen(fitting.value)).toBe(true);
});

test("stores negative zero as zero", () => {
  expect(strictFit(-0, "REAL")).toEqual({ ok: true, value: 0 });
});

test("refuses what nests deeper than can be read back", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(strictFit(deep, "ANY")).toMatchObject({ ok: false });
});

const exact = new ExactInteger(2n ** 53n + 1n);
const five = new WholeReal(5);
const bytes = new BlobValue(Uint8Array.of(1, 2));

test.each([
  ["INTEGER", exact, exact],
  ["INTEGER", five, 5],
  ["INTEGER", bytes, undefined],
  ["REAL", exact, undefined],
  ["REAL", five, 5],
  ["NUMERIC", exact, exact],
  ["NUMERIC", five, 5],
  ["TEXT", five, undefined],
  ["TEXT", bytes, undefined],
  ["JSON", exact, undefined],
  ["BOOLEAN", new WholeReal(1), 1],
  ["NONE", exact, exact],
  ["NONE", five, five],
  ["NONE", bytes, bytes],
  ["ANY", five, five],
  ["NONE", new ExactInteger(5n), 5],
  ["NONE", new ExactInteger(2n ** 63n), undefined],
  ["NONE", new WholeReal(NaN), undefined],
] as const)("decides whether %s takes the value %o of a database", (kind, value, stored) => {
  const expected = stored === undefined ? { ok: false } : { ok: true, value: stored };
  expect(strictFit(value, kind)).toMatchObject(expected);
});

test.each([
  ["arrays", (inner: unknown): unknown => [inner]],
  ["objects", (inner: unknown): unknown => ({ inner })],
])("takes 1,000 levels of %s, and not one more", (_, around) => {
  let value: unknown = around("innermost");
  for (let level = 1; level < 1_000; level++) value = around(value);
  expect(strictFit(value, "JSON").ok).toBe(true);
  expect(affinityFit(value, "NONE").ok).toBe(true);
  expect(strictFit(around(value), "JSON")).toEqual({
    ok: false,
    expected: "a JSON value, at most 1000 levels deep",
  });
  expect(affinityFit(around(value), "NONE")).toEqual({
    ok: false,
    expected: "a number or a JSON value, at most 1000 levels deep",
  });
});

test("takes an object without a prototype for a plain one", () => {
  const bare = Object.assign(Object.create(null), { a: 1 });
  expect(strictFit(bare, "JSON")).toEqual({ ok: true, value: { a: 1 } });
});

test("keeps a copy of bytes, whatever kind of array holds them", () => {
  const given = Buffer.from([1, 2]);
  const fitting = strictFit(new BlobValue(given), "NONE");
  given[0] = 9;
  expect(fitting).toEqual({ ok: true, value: bytes });
});

test.each([
  ["INTEGER", true, 1],
  ["INTEGER", " 42.0 ", 42],
  ["INTEGER", "9007199254740993", exact],
  ["INTEGER", "9223372036854775808", 2 ** 63],
  ["INTEGER", "0x10", "0x10"],
  ["INTEGER", "1e400", Infinity],
  ["NUMERIC", "-0.0", 0],
  ["NUMERIC", five, 5],
  ["NUMERIC", bytes, bytes],
  ["REAL", exact, 2 ** 53],
  ["REAL", "5", 5],
  ["REAL", 5.5, 5.5],
  ["REAL", "-0.0", 0],
  ["REAL", null, null],
  ["TEXT", null, null],
  ["NONE", null, null],
  ["NONE", new ExactInteger(5n), 5],
  ["NONE", new WholeReal(2 ** 63), 2 ** 63],
  ["NONE", new WholeReal(0.5), 0.5],
  ["REAL", "abc", "abc"],
  ["TEXT", 5, "5"],
  ["TEXT", five, "5.0"],
  ["TEXT", exact, "9007199254740993"],
  ["TEXT", 0.1 + 0.2, "0.3"],
  ["TEXT", -Infinity, "-Inf"],
  ["TEXT", false, "0"],
  ["TEXT", "\ud800a", "\ud800a"],
  ["NONE", five, five],
  ["NONE", "5", "5"],
  ["NONE", -0, 0],
  ["NONE", { a: [1, "\u{1f600}"] }, '{"a":[1,"\u{1f600}"]}'],
  ["INTEGER", [7], "[7]"],
] as const)("stores in %s, as SQLite does, %j as %j", (kind, value, stored) => {
  expect(affinityFit(value, kind)).toEqual({ ok: true, value: stored });
});

test.each([undefined, NaN, () => 1, new Date(0), 5n, [NaN], new ExactInteger(2n ** 64n)])(
  "refuses %s, which is no value of a database",
  (value) => {
    expect(affinityFit(value, "NONE")).toMatchObject({ ok: false });
  },
);

test("makes one value of a number, whichever way it came", () => {
  expect(integerValue(2n ** 60n)).toBe(2 ** 60);
  expect(integerValue(-(2n ** 63n))).toEqual(new ExactInteger(-(2n ** 63n)));
  expect(realValue(5)).toEqual(five);
  expect(realValue(-0)).toEqual(new WholeReal(0));
  expect(realValue(2 ** 63)).toBe(2 ** 63);
  expect(realValue(0.5)).toBe(0.5);
  expect(realValue(NaN)).toBeNull();
});

test("shows values to clients as the service does", () => {
  const row = { exact, five, bytes, large: Infinity };
  expect(JSON.stringify(row)).toBe('{"exact":9007199254740992,"five":5,"bytes":{},"large":null}');
});

test("takes an integer that no JSON number holds as the text of its digits", () => {
  const value = new ExactInteger(2n ** 53n + 1n);
  expect(strictFit("9007199254740993", "INTEGER")).toEqual({ ok: true, value });
  for (const text of ["5", "9007199254740993.0", " 9007199254740993", "9223372036854775808"]) {
    expect(strictFit(text, "INTEGER")).toMatchObject({ ok: false });
  }
  for (const kind of ["TEXT", "NUMERIC", "JSON", "ANY"] as const) {
    expect(strictFit("9007199254740993", kind)).toEqual({ ok: true, value: "9007199254740993" });
  }
});
