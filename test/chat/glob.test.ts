import { expect, test } from "vitest";
import { matchesGlob } from "../../src/chat/glob.ts";

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
])("%s and %s", (pattern, text, expected) => {
  expect(matchesGlob(pattern, text)).toBe(expected);
});

test("is not slowed down by many stars", () => {
  expect(matchesGlob(`${"*a".repeat(50)}b`, "a".repeat(5_000))).toBe(false);
});
