import { countEstimatedTokens, cutText } from "./pieces.ts";

/** What texts are cut into tokens by. */
export type TokenizerName = "estimate" | "o200k_base" | "cl100k_base";

/** A part of a text that is sent as one. */
export interface TokenPart {
  readonly text: string;
  /** How many tokens it has: more than one where tokens split a grapheme. */
  readonly tokens: number;
}

/** Cuts texts into tokens. */
export interface Tokenizer {
  readonly name: TokenizerName;
  readonly count: (text: string) => number;
  /** The tokens' texts, in order; joined they are the text. None ends inside a grapheme: such tokens come as one. */
  readonly split: (text: string) => readonly string[];
  /** The parts at the start of a text that have so many tokens together, or a few more; all, where it has fewer. */
  readonly start: (text: string, tokens: number) => readonly TokenPart[];
}

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
