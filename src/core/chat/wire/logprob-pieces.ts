import { graphemes, isAscii } from "../tokens/graphemes.ts";
import type { TokenLogprob } from "../scripts/script.ts";

/** A part of a text and the probabilities of its tokens. */
export interface LogprobPiece {
  readonly text: string;
  readonly logprobs: readonly TokenLogprob[];
}

/**
 * Divides the tokens of a text among the pieces that it is cut into. Pieces grow until they end where a token does.
 * Tokens that are more than the text come with its last piece.
 */
export function withLogprobs(
  parts: readonly string[],
  tokens: readonly TokenLogprob[],
): readonly LogprobPiece[] {
  const text = parts.join("");
  const places = placesOf(tokens);
  const ends = endsOf(parts, bordersIn(text, places));
  let next = 0;
  let start = 0;
  return ends.map((end, index) => {
    const first = next;
    const reach = index === ends.length - 1 ? Infinity : end;
    while (next < tokens.length && (places[next] ?? 0) <= reach) next++;
    const piece = { text: text.slice(start, end), logprobs: tokens.slice(first, next) };
    start = end;
    return piece;
  });
}

/** Where each token ends. */
function placesOf(tokens: readonly TokenLogprob[]): readonly number[] {
  let end = 0;
  return tokens.map(({ token }) => (end += token.length));
}

/** The places of a text where both a token and a grapheme end. */
function bordersIn(text: string, places: readonly number[]): readonly number[] {
  if (isAscii(text) && !text.includes("\r\n")) return inside(places, text);
  const borders = new Set<number>();
  let end = 0;
  for (const unit of graphemes(text)) borders.add((end += unit.length));
  return inside(places, text).filter((place) => borders.has(place));
}

function inside(places: readonly number[], { length }: string): readonly number[] {
  return places.filter((place) => place <= length);
}

/** The ends of the parts, each put off to the next border as long as there is one. */
function endsOf(parts: readonly string[], borders: readonly number[]): readonly number[] {
  const ends: number[] = [];
  let next = 0;
  let end = 0;
  for (const part of parts) {
    end += part.length;
    while (next < borders.length && (borders[next] ?? end) < end) next++;
    const border = borders[next] ?? end;
    if (ends.at(-1) !== border) ends.push(border);
  }
  return ends;
}
