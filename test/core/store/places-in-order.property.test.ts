import fc from "fast-check";
import { expect, test } from "vitest";
import { compareOrderValues, type OrderValue } from "../../../src/core/store/order-value.ts";
import { placesInOrder } from "../../../src/core/store/places-in-order.ts";
import { tries } from "../../support/tries.ts";

/** A sort that keeps equal keys as they are. */
function compared(keys: readonly OrderValue[]): readonly number[] {
  const at = (place: number): OrderValue => keys[place] ?? null;
  return [...keys.keys()].toSorted((left, right) => compareOrderValues(at(left), at(right)));
}

const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer({ min: -300, max: 300 }),
  fc.constantFrom(0, -0, Infinity, -Infinity, Number.MIN_VALUE, -Number.MIN_VALUE, 2 ** 60),
);
const kinds: readonly fc.Arbitrary<OrderValue>[] = [
  number,
  fc.option(number),
  fc.option(fc.oneof(number, fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.string())),
];

test("sorts numbers, NULL among them and other keys as one comparison after the other does", () => {
  const keys = fc.oneof(...kinds.map((kind) => fc.array(kind, { size: "medium" })));
  fc.assert(
    fc.property(keys, (given) => {
      expect(placesInOrder(given)).toEqual(compared(given));
    }),
    { numRuns: tries(500) },
  );
});

test("sorts many numbers as it sorts few", () => {
  const few = fc.array(fc.option(number), { minLength: 20, maxLength: 100 });
  fc.assert(
    fc.property(few, (given) => {
      const many = Array.from({ length: 40_000 }, (_, at) => {
        const key = given[at % given.length] ?? null;
        return key === null || at % 3 === 0 ? key : key * at;
      }).map((key) => (Number.isNaN(key) ? null : key));
      expect(placesInOrder(many)).toEqual(compared(many));
    }),
    { numRuns: 5 },
  );
});
