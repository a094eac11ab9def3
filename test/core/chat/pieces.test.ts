import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateTokenizer } from "../../../src/core/chat/tokens/pieces.ts";
import { cutText, graphemes, type PieceSize } from "../../../src/core/chat/tokens/pieces.ts";

const family = "👨‍👩‍👧‍👦";

test.each<[string, PieceSize, string[]]>([
  [
    "It's raining, 12345 times!",
    "token",
    ["It", "'", "s", " raining", ",", " 123", "45", " times", "!"],
  ],
  ["internationally", "token", ["internat", "ionally"]],
  ["a\n\n  b", "token", ["a", "\n\n  ", "b"]],
  ["天気は晴れ", "token", ["天", "気", "は", "晴", "れ"]],
  ["Größe Привет", "token", ["Größe", " Привет"]],
  [`ok ${family}!`, "token", ["ok", " ", family, "!"]],
  ["one  two\nthree ", "word", ["one", "  two", "\nthree", " "]],
  ["a\r\nb", "character", ["a", "\r\n", "b"]],
  [`e\u0301${family}x`, "character", ["e\u0301", family, "x"]],
  [`e\u0301${family}xyz`, 2, [`e\u0301${family}`, "xy", "z"]],
  ["", "token", []],
])("cuts %j by %s", (text, by, pieces) => {
  expect(cutText(text, by)).toEqual(pieces);
});

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc
    .array(
      fc.constantFrom("a", "b ", "\r\n", "\u0301", family, "🇳🇴", "🇸🇪", "국", "\u200d", " 12"),
      {
        maxLength: 300,
      },
    )
    .map((parts) => parts.join("")),
);
const size = fc.oneof(
  fc.constantFrom<PieceSize>("token", "word", "character"),
  fc.integer({ min: 1, max: 9 }),
);

test("pieces join to the text, and none ends inside a grapheme", () => {
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  fc.assert(
    fc.property(text, size, fc.integer({ min: 1, max: 50 }), (whole, by, most) => {
      const bounds = new Set(Array.from(segmenter.segment(whole), ({ index }) => index));
      bounds.add(whole.length);
      const pieces = cutText(whole, by, { most });
      expect(pieces.join("")).toBe(whole);
      expect(pieces.length).toBeLessThanOrEqual(most);
      let end = 0;
      for (const piece of pieces) expect(bounds).toContain((end += piece.length));
    }),
  );
});

test("finds the graphemes of a text that is longer than a window", () => {
  const long = `${"x".repeat(250)}${family.repeat(40)}e${"\u0301".repeat(600)}z`;
  const found = graphemes(long);
  expect(found).toHaveLength(250 + 40 + 1 + 1);
  expect(found.join("")).toBe(long);
});

test("counts the tokens that a stream would have, and estimates those of a long text", () => {
  expect(estimateTokenizer.count("It's raining, 12345 times!")).toBe(9);
  expect(estimateTokenizer.count("")).toBe(0);
  expect(estimateTokenizer.count("x".repeat(1_000_000))).toBe(250_000);
});

test("cuts a text that is very long for its pieces evenly, and none within a character", () => {
  const units = ["a", "é", "👩‍👩‍👧", "e\u0301", "\r\n", " "];
  const long = Array.from({ length: 6_000 }, (_, at) => units[(at * 7) % units.length]).join("");
  const pieces = cutText(long, "token", { most: 100 });
  expect(pieces.join("")).toBe(long);
  expect(pieces.length).toBeLessThanOrEqual(100);
  expect(pieces.flatMap(graphemes)).toEqual(graphemes(long));
});
