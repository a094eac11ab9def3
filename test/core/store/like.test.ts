import { expect, test } from "vitest";
import * as fc from "fast-check";
import { compileLike, likeText } from "../../../src/core/store/like.ts";
import { BlobValue } from "../../../src/core/store/value.ts";
import { tries } from "../../support/tries.ts";

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
    { numRuns: tries(5_000) },
  );
});

// With all combinations tried, neither would end before the sun does.
test.each([
  [`${"%a".repeat(30_000)}%b`, "a".repeat(1_000_000)],
  [`%${"a_".repeat(50)}b%`, "a".repeat(50_000)],
])("does not try all combinations of wildcards", (pattern, text) => {
  expect(compileLike(pattern)(text)).toBe(false);
});

// Compared at each place anew, each takes minutes.
test.each([
  ["a long segment", `%${"a".repeat(900)}b%`],
  ["many single wildcards", `%${"a_".repeat(450)}b%`],
  ["both", `%${"a".repeat(450)}_${"a".repeat(450)}b%`],
])("reads a long text once in search of %s", (_, pattern) => {
  const matches = compileLike(pattern);
  const text = "a".repeat(1_000_000);
  for (let row = 0; row < 10; row++) expect(matches(text)).toBe(false);
  expect(matches(`${text}b`)).toBe(true);
  expect(matches(`${text}b${text}`)).toBe(true);
});

test("finds segments of any length wherever they are", () => {
  const piece = fc.constantFrom("a", "b", "\u{1f600}");
  const points = { minLength: 1, maxLength: 70, size: "max" } as const;
  const segment = fc.array(fc.oneof(piece, fc.constant("_")), points);
  const around = fc.array(piece, points);
  fc.assert(
    fc.property(segment, piece, around, fc.boolean(), (parts, filling, other, isCut) => {
      const filled = parts.map((part) => (part === "_" ? filling : part));
      const text = [...other, ...filled.slice(0, isCut ? -1 : undefined), ...other];
      const isThere = text.some(
        (_, start) =>
          start + parts.length <= text.length &&
          parts.every((part, at) => part === "_" || part === text[start + at]),
      );
      expect(compileLike(`%${parts.join("")}%`)(text.join(""))).toBe(isThere);
    }),
    { numRuns: tries(2_000) },
  );
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

test.each([
  [[], ""],
  [[0x41, 0x7f], "A\u007f"],
  [[0x41, 0, 0x42], "A"],
  [[0], ""],
  [[0xc3, 0xa9], "é"],
  [[0xef, 0xbb, 0xbf], "\ufeff"],
  [[0xf0, 0x9f, 0x98, 0x80], "\u{1f600}"],
  [[0x80, 0x41], "\ufffdA"],
])("reads the bytes %j as a text", (bytes, text) => {
  const blob = new BlobValue(Uint8Array.from(bytes));
  expect(likeText(blob, { kind: "NONE", collation: "BINARY" })).toBe(text);
});
