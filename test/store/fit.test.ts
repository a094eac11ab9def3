import { expect, test } from "vitest";
import { strictFit } from "../../src/store/fit.ts";

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
