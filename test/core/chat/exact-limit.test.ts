import { expect, test } from "vitest";
import { requestOf } from "../../../src/core/chat/request/chat-request.ts";
import { countPrompt } from "../../../src/core/chat/request/prompt-tokens.ts";
import { exactStart, mostExact } from "../../../src/core/chat/tokens/exact-limit.ts";
import { loadTokenizer } from "../../../src/core/chat/tokens/load-tokenizer.ts";
import type { Tokenizer } from "../../../src/core/chat/tokens/tokenizer.ts";

/** An exact tokenizer that has a token for each character, and keeps how many characters it counted. */
function counting(): Tokenizer & { readonly counted: () => number } {
  let counted = 0;
  return {
    name: "o200k_base",
    count: (text) => {
      counted += text.length;
      return text.length;
    },
    split: (text) => [text],
    start: (text) => [{ text, tokens: text.length }],
    counted: () => counted,
  };
}

const long = "x".repeat(mostExact - 100);

test.each([
  ["one text", [{ role: "user", content: "x".repeat(9_000_000) }]],
  [
    "many texts",
    Array.from({ length: 1_000 }, () => ({ role: "user", content: "x".repeat(9_000) })),
  ],
  [
    "arguments of calls",
    Array.from({ length: 100 }, () => ({
      role: "assistant",
      tool_calls: [{ type: "function", function: { name: "f", arguments: "x".repeat(90_000) } }],
    })),
  ],
])("counts at most so many characters of %s in a request exactly", (_, messages) => {
  const tokenizer = counting();
  const tokens = countPrompt(requestOf({ messages }), tokenizer);
  expect(tokenizer.counted()).toBeLessThanOrEqual(mostExact);
  expect(tokens).toBeGreaterThan(9_000_000 / 8);
});

test("counts the tools of a request within the same limit", () => {
  const tokenizer = counting();
  const tool = { type: "function", function: { name: "f", description: long } };
  const messages = [{ role: "user", content: long }];
  countPrompt(requestOf({ messages, tools: [tool, tool] }), tokenizer);
  expect(tokenizer.counted()).toBeLessThanOrEqual(mostExact);
});

test("counts a request up to the limit exactly", () => {
  const tokenizer = counting();
  const framing = 3 + 3 + "user".length;
  const messages = [{ role: "user", content: long }];
  expect(countPrompt(requestOf({ messages }), tokenizer)).toBe(long.length + framing);
});

test("starts with a limit of its own for each request", () => {
  const tokenizer = counting();
  const request = requestOf({ messages: [{ role: "user", content: long }] });
  const first = countPrompt(request, tokenizer);
  expect(countPrompt(request, tokenizer)).toBe(first);
});

test.each(["a👩‍🚀b", "a\r\nb", "ae\u0301b"])("splits %j at no grapheme's middle", (text) => {
  for (let most = 0; most <= text.length; most++) {
    const [exact, rest] = exactStart(text, most);
    expect(exact + rest).toBe(text);
    expect(exact.length).toBeLessThanOrEqual(most);
    expect([text, "a", text.slice(0, -1), ""]).toContain(exact);
  }
});

test.each(["o200k_base", "cl100k_base"] as const)(
  "%s keeps a text whole and its exact tokens where the rest is estimated",
  async (name) => {
    const { count, split, start } = await loadTokenizer(name);
    const text = `${"antidisestablishmentarianism 👩‍🚀 ".repeat(3_000)}${"a b ".repeat(50_000)}`;
    const parts = split(text);
    expect(parts.join("")).toBe(text);
    const [exact] = exactStart(text, mostExact);
    const exactParts = split(exact);
    expect(parts.slice(0, exactParts.length)).toEqual(exactParts);
    expect(count(text)).toBeGreaterThan(count(exact));
    const all = start(text, Infinity).map((part) => part.text);
    expect(all.join("")).toBe(text);
  },
);
