import { expect, test } from "vitest";
import * as fc from "fast-check";
import { compileLike } from "../../../src/core/store/like.ts";

test.each([
  ["a%", "Abc", true],
  ["%C", "abc", true],
  ["a_c", "aXc", true],
  ["a_c", "ac", false],
  ["_", "\u{1f600}", true],
  ["__", "\u{1f600}", false],
  ["%_\u{1f600}", "x\u{1f600}", true],
  ["_\u{1f600}%", "\u{1f600}", false],
  ["%_", "\u{1f600}", true],
  ["É", "é", false],
  ["a\\%", "a\\b", true],
  ["", "", true],
  ["", "a", false],
  ["%", "", true],
  ["ab%ba", "aba", false],
  ["%a%a%", "xax", false],
  ["%b_%d", "abbcd", true],
  ["a", "a\0b", true],
  ["a\0%", "a", true],
  ["", "\0a", true],
  ["%b%", "a\0b", false],
  ["%b", "a\0b", false],
  ["%a%", "a\0b", true],
  ["a\ufffe", "A\ufffd", true],
  ["%\uffff%", "x\ufffe", true],
  ["[a-z].*", "[A-Z].*", true],
  ["a", "b", false],
  ["K", "\u212a", false],
  ["a%%", "a", true],
  ["%%", "", true],
  ["%a%%b%", "ab", true],
  ["a_b%c%", "axxc", false],
  ["Z", "z", true],
  ["%a_", "a\u{1f600}", true],
  ["%a__", "a\u{1f600}", false],
  ["_{_", "x[{", false],
  ["_@_", "x @", false],
])("tells whether %j is like %j", (pattern, text, expected) => {
  expect(compileLike(pattern)(text)).toBe(expected);
});

/** The definition of LIKE, tried in every way. */
function naive(pattern: readonly string[], text: readonly string[]): boolean {
  const [head, ...rest] = pattern;
  if (head === undefined) return text.length === 0;
  if (head === "%") return naive(rest, text) || (text.length > 0 && naive(pattern, text.slice(1)));
  return text.length > 0 && (head === "_" || head === text[0]) && naive(rest, text.slice(1));
}

test("matches what an exhaustive search matches", () => {
  const piece = fc.constantFrom("a", "b", "\ufffd", "\u{1f600}", "\ue000");
  const text = fc.array(piece, { maxLength: 8 });
  const pattern = fc.array(fc.oneof(piece, fc.constantFrom("%", "_")), { maxLength: 7 });
  fc.assert(
    fc.property(pattern, text, (parts, points) => {
      expect(compileLike(parts.join(""))(points.join(""))).toBe(naive(parts, points));
    }),
    { seed: 3, numRuns: 5_000 },
  );
});

test("does not try all combinations of many wildcards", () => {
  const matches = compileLike(`${"%a".repeat(40)}%b`);
  const start = performance.now();
  expect(matches("a".repeat(20_000))).toBe(false);
  expect(performance.now() - start).toBeLessThan(1_000);
});

test("takes patterns longer than a regular expression may be, and halves of code points", () => {
  const long = "aB".repeat(50_000);
  expect(compileLike(`%${long}%`)(`x${long.toUpperCase()}`)).toBe(true);
  expect(compileLike("_\ud83d%")("\u{1f600}\ud83d")).toBe(false);
  expect(compileLike("_%_")("\ud83d\ud83d")).toBe(true);
});

test("finds long segments only behind those before them, and before a NUL", () => {
  const long = "ab".repeat(40);
  const matches = compileLike(`%x%${long}%`);
  const texts = [`x${long}`, `${long}x`, `${long}x${long}`, `x\0${long}`, `x${long}\0`];
  expect(texts.map((text) => matches(text))).toEqual([true, false, true, false, true]);
});

test("finds long segments as it finds short ones, in a time that grows with the text alone", () => {
  const letters = fc.string({
    unit: fc.constantFrom("a", "A", "b", "é", "\u{1F600}"),
    maxLength: 90,
  });
  const property = fc.property(
    letters,
    letters,
    letters,
    fc.nat(),
    (before, segment, after, hole) => {
      const points = Array.from(segment.padEnd(70, "ab"));
      const text = `${before}${points.join("")}${after}`;
      const withHole = points.with(hole % points.length, "_").join("");
      const odd = points.with(hole % points.length, "x").join("");
      expect(compileLike(`%${withHole.toUpperCase()}%`)(text.toLowerCase())).toBe(
        !/[é]/i.test(withHole),
      );
      expect(compileLike(`%${withHole}%`)(text)).toBe(true);
      expect(compileLike(`%${odd}%`)(text)).toBe(false);
    },
  );
  fc.assert(property, { seed: 6, numRuns: 300 });
  const matches = compileLike(`%${"k".repeat(4_000)}j%`);
  expect(matches("k".repeat(100_000))).toBe(false);
});
