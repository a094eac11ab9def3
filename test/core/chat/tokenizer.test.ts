import fc from "fast-check";
import { expect, test } from "vitest";
import { loadTokenizer } from "../../../src/core/chat/tokens/load-tokenizer.ts";
import type { TokenizerName } from "../../../src/core/chat/tokens/tokenizer.ts";
import { tries } from "../../support/tries.ts";

const names = ["estimate", "o200k_base", "cl100k_base"] as const;

test("gives the estimate, and says that it is one", async () => {
  expect(await loadTokenizer("estimate")).toMatchObject({ name: "estimate" });
});

// Counts of the reference implementation (tiktoken).
test.each<[TokenizerName, string, number]>([
  ["cl100k_base", "tiktoken is great!", 6],
  ["cl100k_base", "antidisestablishmentarianism", 6],
  ["cl100k_base", "お誕生日おめでとう", 9],
  ["o200k_base", "tiktoken is great!", 6],
  ["o200k_base", "お誕生日おめでとう", 8],
  ["o200k_base", "2 + 2 = 4", 7],
  ["o200k_base", "", 0],
])("counts by %s what %j has", async (name, text, tokens) => {
  expect((await loadTokenizer(name)).count(text)).toBe(tokens);
});

test.each(names)("%s takes the names of special tokens as text", async (name) => {
  const tokenizer = await loadTokenizer(name);
  const text = "<|endoftext|> <|im_start|>";
  expect(tokenizer.count(text)).toBeGreaterThan(5);
  expect(tokenizer.split(text).join("")).toBe(text);
});

test.each(["a", "!", " ", "é", "漢"])(
  "a real encoding counts a long run of %j without an end",
  async (unit) => {
    const tokenizer = await loadTokenizer("o200k_base");
    expect(tokenizer.count(unit.repeat(200_000))).toBeGreaterThan(1000);
  },
);

test("keeps the tokens of one grapheme together", async () => {
  const { split, count } = await loadTokenizer("o200k_base");
  expect(count("👩‍🚀!")).toBeGreaterThan(2);
  expect(split("👩‍🚀!")).toEqual(["👩‍🚀", "!"]);
});

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.lorem({ maxCount: 60 }),
  fc
    .array(fc.constantFrom("\r\n", "\r", "\n", "e\u0301", "🇳🇴", "\ufeff", " the", "\ud800", "字"))
    .map((parts) => parts.join("")),
);

test.each(names)(
  "%s splits a text whole, at graphemes, with as many tokens as it counts",
  async (name) => {
    const { split, count, start } = await loadTokenizer(name);
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
    fc.assert(
      fc.property(text, (whole) => {
        const parts = split(whole);
        expect(parts.join("")).toBe(whole);
        const borders = new Set(Array.from(segmenter.segment(whole), ({ index }) => index));
        let end = 0;
        for (const part of parts)
          expect(end === 0 || borders.has(end) ? (end += part.length) : -1).toBeGreaterThan(0);
        const all = start(whole, Number.MAX_SAFE_INTEGER);
        expect(all.map((part) => part.text)).toEqual(parts);
        expect(all.reduce((total, part) => total + part.tokens, 0)).toBe(count(whole));
      }),
      { numRuns: tries(200) },
    );
  },
);

test.each(names)("%s gives the start of a long text as it is in the whole", async (name) => {
  const { start, split } = await loadTokenizer(name);
  const long = "The quick brown fox, aged 12345, jumps over the lazy dog.\r\n".repeat(200);
  const first = start(long, 50).map((part) => part.text);
  expect(first.length).toBeGreaterThanOrEqual(49);
  expect(split(long).slice(0, first.length)).toEqual(first);
});
