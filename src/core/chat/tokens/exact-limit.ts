import { estimateTokenizer, graphemes } from "./pieces.ts";
import type { Tokenizer } from "./tokenizer.ts";

/**
 * The most characters whose tokens are counted exactly. Real encodings take up to a second for this many, and no other
 * request is answered meanwhile.
 */
export const mostExact = 100_000;

/** The length in characters of the longest grapheme that is kept whole. */
const longestGrapheme = 100;

/** A text's start, which is counted exactly, and the rest, which is estimated. Both are whole graphemes. */
export function exactStart(text: string, most: number): readonly [exact: string, rest: string] {
  if (text.length <= most) return [text, ""];
  let end = Math.max(0, most - longestGrapheme);
  for (const unit of graphemes(text.slice(end, most + longestGrapheme))) {
    if (end + unit.length > most) break;
    end += unit.length;
  }
  return [text.slice(0, end), text.slice(end)];
}

/** Counts the texts of one request. All of them share one limit, beyond which they are estimated. */
export function requestCounter({ name, count }: Tokenizer): Tokenizer["count"] {
  if (name === "estimate") return count;
  let left = mostExact;
  return (text) => {
    const [exact, rest] = exactStart(text, left);
    // What does not fit ends the exact part of the request.
    left = rest === "" ? left - exact.length : 0;
    return count(exact) + estimateTokenizer.count(rest);
  };
}
