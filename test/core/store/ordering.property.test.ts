import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ColumnKind } from "../../../src/core/store/column-kinds.ts";
import { compareOrderValues, orderKey, orderValue } from "../../../src/core/store/order-value.ts";
import type { Collation } from "../../../src/core/store/schema.ts";
import { foldAscii, sortableText } from "../../../src/core/store/text-order.ts";
import { BlobValue, ExactInteger, type Value, WholeReal } from "../../../src/core/store/value.ts";
import { tries } from "../../support/tries.ts";

const kinds: readonly ColumnKind[] = [
  "INTEGER",
  "NUMERIC",
  "TEXT",
  "NONE",
  "BOOLEAN",
  "JSON",
  "ANY",
];
const big = fc.constantFrom<Value>(
  2 ** 53,
  2 ** 60,
  -(2 ** 62),
  "9007199254740993",
  "1152921504606846977",
  new ExactInteger(2n ** 53n + 1n),
  new ExactInteger(-(2n ** 63n)),
  -(2 ** 63),
);
const other = fc.constantFrom(
  new WholeReal(2),
  new BlobValue(Uint8Array.of()),
  new BlobValue(Uint8Array.of(0x61)),
  new BlobValue(Uint8Array.of(0x61, 0xff)),
);
const value = fc.oneof(
  other,
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  big,
  fc.constantFrom(
    "5",
    "5.0",
    "a",
    "A",
    "b",
    "\u{1f600}",
    "\uffee",
    "é",
    " 5 ",
    "a ",
    "A\0b",
    "a\0C",
  ),
  fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
);
const collations: readonly Collation[] = ["BINARY", "NOCASE", "RTRIM"];
const rules = fc.record({
  kind: fc.constantFrom(...kinds),
  collation: fc.constantFrom(...collations),
});

test("orders any values of a column totally, and equal keys mean equal values", () => {
  fc.assert(
    fc.property(rules, value, value, value, (own, ...given) => {
      const [a, b, c] = given.map((each) => orderValue(each, own));
      if (a === undefined || b === undefined || c === undefined) return;
      const sign = (left: typeof a, right: typeof a): number =>
        Math.sign(compareOrderValues(left, right));
      expect(sign(a, b) + sign(b, a)).toBe(0);
      expect(sign(a, a)).toBe(0);
      const isChain = sign(a, b) <= 0 && sign(b, c) <= 0;
      expect(isChain ? sign(a, c) : 0).toBeLessThanOrEqual(0);
      // NULL equals NULL in order only, and has no key.
      const sharesKey = orderKey(a) === orderKey(b);
      expect(sharesKey).toBe(sign(a, b) === 0);
    }),
    { numRuns: tries(5_000) },
  );
});

test("orders text as its UTF-8 bytes are ordered", () => {
  const text = fc.string({ unit: "binary", maxLength: 4 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(sortableText(left) < sortableText(right)).toBe(bytes < 0);
      expect(sortableText(left) > sortableText(right)).toBe(bytes > 0);
    }),
    { numRuns: tries(5_000) },
  );
});

test("folds no letters but those of ASCII", () => {
  expect(foldAscii("AZaz[É\u212aİ")).toBe("azaz[É\u212aİ");
});

test("compares a double with a whole number that it cannot hold exactly", () => {
  expect(compareOrderValues(2 ** 53, 9007199254740993n)).toBeLessThan(0);
  expect(compareOrderValues(2 ** 60, 1152921504606846976n)).toBe(0);
});
