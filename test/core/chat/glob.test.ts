import * as fc from "fast-check";
import { expect, test } from "vitest";
import { globCovers, matchesGlob } from "../../../src/core/chat/matching/glob.ts";
import { tries } from "../../support/tries.ts";

test.each([
  ["atlas", "atlas", true],
  ["atlas", "atlas-large", false],
  ["atlas*", "atlas-large", true],
  ["*large", "atlas-large", true],
  ["a*s-*e", "atlas-large", true],
  ["atlas-?", "atlas-l", true],
  ["atlas-?", "atlas-", false],
  ["*", "", true],
  ["", "", true],
  ["a.c", "abc", false],
  ["org/*", "org/model:v1", true],
  ["?", "\u{1f4a5}", true],
  ["??", "\u{1f4a5}", false],
  ["*??", "\u{1f4a5}", false],
  ["*?b", "a\u{1f4a5}b", true],
  ["*??b", "\u{1f4a5}b", false],
  ["bc", "abc", false],
  ["a?c", "a*c", true],
  ["?a", "\uffffa", true],
])("%s and %s", (pattern, text, expected) => {
  expect(matchesGlob(pattern, text)).toBe(expected);
});

test("is not slowed down by many stars", () => {
  expect(matchesGlob(`${"*a".repeat(50)}b`, "a".repeat(5_000))).toBe(false);
});

test.each([
  ["*", "atlas-*", true],
  ["atlas*", "atlas-*", true],
  ["atlas-*", "atlas*", false],
  ["a?c", "abc", true],
  ["a?c", "a?c", true],
  ["a?c", "a*c", false],
  ["abc", "a?c", false],
  ["a*c", "a*b*c", true],
])("whether %s covers %s", (wide, narrow, expected) => {
  expect(globCovers(wide, narrow)).toBe(expected);
});

test("what fits a pattern fits every pattern that covers it", () => {
  const patterns = fc.array(fc.constantFrom("a", "b", "*", "?", "\u{1f4a5}"), { maxLength: 5 });
  const texts = fc.array(fc.constantFrom("a", "b", "\u{1f4a5}"), { maxLength: 6 });
  const property = fc.property(patterns, patterns, texts, (wide, narrow, text) => {
    const covered = globCovers(wide.join(""), narrow.join(""));
    const fits = matchesGlob(narrow.join(""), text.join(""));
    expect(!covered || !fits || matchesGlob(wide.join(""), text.join(""))).toBe(true);
  });
  fc.assert(property, { numRuns: tries(5_000) });
});
