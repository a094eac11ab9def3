import { expect, test } from "vitest";
import {
  compareBytes,
  foldAscii,
  nocaseText,
  rtrimText,
  sortableText,
  utf8Length,
  wellFormed,
} from "../../../src/core/store/text-order.ts";

/** In the order of their bytes in UTF-8, where half of a surrogate pair has three. */
const ordered = [
  "",
  "A",
  "a",
  "\u007f",
  "\u0080",
  "\ud7ff",
  "\ud7ffz",
  "\ud800",
  "\ud800z",
  "\udbff\ue000",
  "\udc00",
  "\udfff\ud800",
  "\ue000",
  "\ufffd",
  "\uffff",
  "\u{10000}",
  "\u{1f600}",
  "\u{10ffff}",
];

test("orders texts by their code points", () => {
  for (const [at, left] of ordered.entries()) {
    const spelled = ordered.map((right) => sortableText(left) < sortableText(right));
    expect(spelled).toEqual(ordered.map((_, other) => at < other));
  }
});

test("tells texts of several such letters apart", () => {
  expect(sortableText("\ue000\ue000") < sortableText("\ue000\u{10000}")).toBe(true);
  expect(sortableText("\u{10000}\u{10001}") > sortableText("\u{10000}\u{10000}")).toBe(true);
});

test.each([
  ["", ""],
  ["abc", "abc"],
  ["@AZ[`az{", "@az[`az{"],
  ["ABÉCD", "abÉcd"],
  ["É", "É"],
  ["\u212aK", "\u212ak"],
])("folds %j to %j", (text, folded) => {
  expect(foldAscii(text)).toBe(folded);
});

// As SQLite: NOCASE stops at a NUL, after which only the number of bytes counts.
test.each([
  ["A\0b", "a\0C", true],
  ["a\0b", "a\0bc", false],
  ["a\0é", "a\0bc", true],
  ["a\0€", "a\0bcd", true],
  ["a\0\u{1f600}", "a\0bcde", true],
  ["a\0\u{1f600}", "a\0bcdef", false],
  ["a", "a\0", false],
  ["a\0", "b\0", false],
  ["\0A", "\0b", true],
  [`a\0${"x".repeat(40_000)}`, `a\0${"y".repeat(40_000)}`, true],
  [`a\0${"x".repeat(40_000)}`, `a\0${"y".repeat(40_001)}`, false],
  [`a\0${"x".repeat(7_231)}`, `a\0${"x".repeat(39_999)}`, false],
])("takes %j and %j without their case for equal: %s", (left, right, isEqual) => {
  expect(nocaseText(left) === nocaseText(right)).toBe(isEqual);
});

test("orders what follows a NUL by its number of bytes, without regard to case", () => {
  const lengths = [0, 1, 200, 32_766, 32_767, 40_000, 70_000];
  const texts = lengths.map((length) => nocaseText(`A\0${"x".repeat(length)}`));
  expect(texts.toSorted()).toEqual(texts);
  expect(new Set(texts).size).toBe(lengths.length);
});

test.each([
  ["", 0],
  ["\u007f", 1],
  ["\u0080", 2],
  ["\u07ff", 2],
  ["\u0800", 3],
  ["\uffff", 3],
  ["\u{10000}", 4],
  ["\ud800", 3],
  ["aé€\u{1f600}", 10],
])("counts the bytes of %j: %d", (text, length) => {
  expect(utf8Length(text)).toBe(length);
});

test.each([
  ["a  ", "a"],
  ["  ", ""],
  ["", ""],
  [" a b ", " a b"],
  ["a\t", "a\t"],
])("reads %j without spaces at its end as %j", (text, trimmed) => {
  expect(rtrimText(text)).toBe(trimmed);
});

test.each([
  [[], [], 0],
  [[], [0], -1],
  [[1, 2], [1, 2], 0],
  [[1, 2], [1, 3], -1],
  [[2], [1, 3], 1],
  [[255], [0], 1],
  [[1, 2, 3], [1, 2], 1],
])("compares the bytes %j and %j: %d", (left, right, sign) => {
  expect(Math.sign(compareBytes(Uint8Array.from(left), Uint8Array.from(right)))).toBe(sign);
});

test.each([
  ["a\u{1f600}", "a\u{1f600}"],
  ["\ud800a\ud800", "\ufffda\ufffd"],
  ["\udc00\ud800", "\ufffd\ufffd"],
])("puts U+FFFD in the place of halves of code points: %j", (text, whole) => {
  expect(wellFormed(text)).toBe(whole);
});

/** What SQLite's reader of UTF-8 makes of bytes; U+DC00 stands for what is beyond Unicode. */
