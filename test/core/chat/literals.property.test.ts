import * as fc from "fast-check";
import { expect, test } from "vitest";
import { literalSearch, literalsOfRegex } from "../../../src/core/chat/matching/literals.ts";
import { tries } from "../../support/tries.ts";

const letters = fc.constantFrom("a", "b", "A", "B", " ", "é", "É", "ſ", "s", "😀");
const texts = fc.array(letters, { maxLength: 14 }).map((parts) => parts.join(""));

function folded(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

test("finds the owners of all literals that stand in a text, letter case aside", () => {
  const literal = fc.array(letters, { minLength: 3, maxLength: 6 }).map((parts) => parts.join(""));
  const property = fc.property(
    fc.uniqueArray(literal, { maxLength: 30 }),
    texts,
    (literals, text) => {
      const owners = literals.map((one, index) => [one, [index]] as const);
      const found = new Set<number>();
      literalSearch(new Map(owners.map(([one, list]) => [one, [...list]])))(text, found);
      const expected = literals.flatMap((one, index) =>
        folded(text).includes(folded(one)) ? [index] : [],
      );
      expect([...found].toSorted((left, right) => left - right)).toEqual(expected);
    },
  );
  fc.assert(property, { numRuns: tries(2_000) });
});

const pieces = fc.oneof(
  fc.constantFrom("a", "b", "ab", "aab", "ba b", "é", "s", "😀", "a+", "b*", "a?", "😀*", "a{0,2}"),
  fc.constantFrom("(b)", "(?:a|b)?", "(?<n>ab)", "(?!bb)", "(\\))", "|", "{", "}", "^", "$", "."),
  fc.constantFrom("[ab]", "[^|)]", "[(]", "[\\]]", "\\b", "\\w", "\\.", "\\)", "\\(", "\\x61"),
  fc.constantFrom("\\u0061", "\\1", "\\k<n>", "\\p{L}"),
);

test("every text that an expression matches has one of its literals in it", () => {
  let tried = 0;
  const property = fc.property(
    fc.array(pieces, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("")),
    fc.constantFrom("", "i", "u", "iu", "g", "y", "s", "v", "m"),
    fc.array(texts, { minLength: 3, maxLength: 10 }),
    (source, flags, all) => {
      const literals = literalsOfRegex(source, flags);
      const expression = expressionOf(source, flags);
      if (literals === undefined || expression === undefined) return;
      for (const text of all) {
        expression.lastIndex = 0;
        if (!expression.test(text)) continue;
        tried++;
        const stands = literals.some((literal) => folded(text).includes(folded(literal)));
        expect([source, flags, text, stands]).toEqual([source, flags, text, true]);
      }
    },
  );
  fc.assert(property, { numRuns: tries(30_000) });
  expect(tried).toBeGreaterThan(tries(1_000));
});

function expressionOf(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

test.each([
  ["weather in (?<city>\\w+)", "", ["weather in "]],
  ["^(?:please )?book a flight", "i", ["book a flight"]],
  ["refund|money back", "", ["refund", "money back"]],
  ["order #?\\d+", "", ["order "]],
  ["a|\\d+", "", undefined],
  ["colou?r", "", ["colo"]],
  ["caf\\u00e9", "", undefined],
])("knows what /%s/%s has to contain", (source, flags, expected) => {
  expect(literalsOfRegex(source, flags)).toEqual(expected);
});
