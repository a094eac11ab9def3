import { countEstimatedTokens, cutText } from "./pieces.ts";
import type { Tokenizer, TokenPart } from "./tokenizer.ts";

/** Beyond this length an estimate by characters is near enough, and much faster. */
const longText = 32_768;

/** Characters of a token of English text, on average. */
const charactersPerToken = 4;

/** No token has more, graphemes of many characters aside. */
const longestToken = 20;

/** Guesses tokens by the kinds of their characters, without loading anything. */
export const estimateTokenizer: Tokenizer = {
  name: "estimate",
  count: (text) =>
    text.length > longText
      ? Math.ceil(text.length / charactersPerToken)
      : countEstimatedTokens(text),
  split,
  start: (text, tokens) => {
    const window = text.slice(0, (tokens + 2) * longestToken);
    if (window.length === text.length) return firstOf(split(text), tokens);
    // The last of a window may go on after it.
    const parts = split(window).slice(0, -1);
    return firstOf(parts.length >= tokens ? parts : split(text), tokens);
  },
};

function split(text: string): readonly string[] {
  return cutText(text, "token");
}

function firstOf(parts: readonly string[], tokens: number): readonly TokenPart[] {
  return parts.slice(0, tokens).map((text) => ({ text, tokens: 1 }));
}
