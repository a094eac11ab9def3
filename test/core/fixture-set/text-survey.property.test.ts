import fc from "fast-check";
import { expect, test } from "vitest";
import { countKeys, surveyText } from "../../../src/core/fixture-set/json/text-survey.ts";
import { tries } from "../../support/tries.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Texts full of what could be taken for structure. */
const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", ":", "{", "]", "1", "é") });
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("any"), { maxLength: 5 }),
  object: fc.dictionary(text, tie("any"), { maxKeys: 5 }),
})).any;

test("counts keys and depth of a text as its value has them, however it is spaced", () => {
  const property = fc.property(value, fc.integer({ min: 0, max: 3 }), (given, spaces) => {
    const survey = surveyText(JSON.stringify(given, null, spaces));
    expect(survey).toMatchObject({ keys: countKeys(given), depth: depthOf(given) });
  });
  fc.assert(property, { seed: 5, numRuns: tries(2_000) });
});

const numbers: readonly (readonly [literal: string, mayLoseDigits: boolean])[] = [
  ["123456789012345", false],
  ["1234567890123456", true],
  ["-1234567890123456", true],
  ["0.12345678901234567", false],
  ["1e99", false],
  ["1e100", true],
  ["1E+100", true],
  ["1e-100", false],
  ["1.5e400", true],
];

test.each(numbers)("tells of %s that it may lose digits: %s", (literal, mayLoseDigits) => {
  expect(surveyText(`{"a": [${literal}, "1234567890123456"]}`)).toMatchObject({ mayLoseDigits });
});

test("counts a key that is there twice two times, which its value does not", () => {
  const given = '{"a": 1, "b": {"a": 2, "a": 3}}';
  expect(surveyText(given).keys).toBe(4);
  expect(countKeys(JSON.parse(given))).toBe(3);
});
