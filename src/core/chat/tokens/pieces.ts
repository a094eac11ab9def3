import type { Pace } from "../scripts/script.ts";
import type { Tokenizer, TokenPart } from "./tokenizer.ts";

/** Created on first use, since creating it takes longer than the rest of a start. */
let segmenter: Intl.Segmenter | undefined;

/** The segmenter's time grows with the square of a text's length, so it gets one window at a time. */
const windowLength = 256;

// oxlint-disable-next-line no-control-regex -- all of ASCII is meant
const asciiOnly = /^[\x00-\x7f]*$/;

/** Whether a text is pure ASCII, where each character is a grapheme, except that CR LF is one. */
export function isAscii(text: string): boolean {
  return asciiOnly.test(text);
}

/** A text's user-perceived characters (extended grapheme clusters, Unicode annex 29), in order. */
export function graphemes(text: string): readonly string[] {
  if (isAscii(text)) {
    return text.includes("\r\n") ? (text.match(/\r\n|[^]/g) ?? []) : text.split("");
  }
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const found: string[] = [];
  let start = 0;
  let length = windowLength;
  while (start < text.length) {
    const segments = Array.from(
      segmenter.segment(text.slice(start, start + length)),
      ({ segment }) => segment,
    );
    const atEnd = start + length >= text.length;
    // The window may end inside its last segment, so that segment is read again.
    const complete = atEnd ? segments.length : segments.length - 1;
    length = complete === 0 ? length * 2 : windowLength;
    for (const segment of segments.slice(0, complete)) {
      found.push(segment);
      start += segment.length;
    }
  }
  return found;
}

/** The start of the user-perceived character that contains a position. */
export function graphemeStart(text: string, at: number): number {
  const around = text.slice(Math.max(0, at - 1), at + 1);
  if (around.length < 2 || (isAscii(around) && around !== "\r\n")) return at;
  let start = 0;
  // Later text moves no boundary, except within the character at the position, which may be two code units.
  for (const grapheme of graphemes(text.slice(0, at + 2))) {
    if (start + grapheme.length > at) break;
    start += grapheme.length;
  }
  return start;
}

/** The size of the pieces of a text. */
export type PieceSize = NonNullable<Pace["by"]>;

/** Cuts a text into tokens by a real encoding, if there is one. */
type SplitTokens = (text: string) => readonly string[];

/** Options for cutting a text, besides the size of its pieces. */
interface CutOptions {
  /** The most pieces. Beyond this number, neighbours are joined, since each piece costs an event of some 200 bytes. */
  readonly most?: number | undefined;
  /** Default: an estimate. */
  readonly splitTokens?: SplitTokens | undefined;
}

/** Cuts a text into the pieces of a stream. Joined, they are the text; none ends inside a grapheme. */
export function cutText(
  text: string,
  by: PieceSize,
  { most = Infinity, splitTokens = estimatedTokens }: CutOptions = {},
): readonly string[] {
  const [longest, least] = by === "character" ? [1, 1] : [longestCut, 4];
  if (text.length > longest * most) return cutEvenly(text, Math.ceil((least * text.length) / most));
  const pieces = cutWhole(text, by, splitTokens);
  if (pieces.length <= most) return pieces;
  return inGroups(text, pieces, Math.ceil(pieces.length / most));
}

/**
 * The most characters per piece for which a text is first cut into tokens. Longer texts are cut by length, since
 * cutting 10 MB into tokens takes more than a second.
 */
const longestCut = 16;

/** How many code units on both sides of a position are read to find where a character begins. */
const around = 16;

/** Cuts a text into pieces of about a length. */
function cutEvenly(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const from = Math.max(start, start + length - around);
    let end = start + length;
    const near = text.slice(from, end + around);
    if (!isAscii(near) || near.includes("\r")) {
      end = from;
      for (const unit of graphemes(near)) if (end < start + length) end += unit.length;
    }
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function cutWhole(text: string, by: PieceSize, splitTokens: SplitTokens): readonly string[] {
  if (by === "token") return splitTokens(text);
  if (by === "word") return runsIn(text, continuesWord);
  const units = graphemes(text);
  return by === "character" || by <= 1 ? units : inGroups(text, units, by);
}

function estimatedTokens(text: string): readonly string[] {
  return runsIn(text, continuesToken);
}

/** The estimated number of tokens of a text, without cutting it. */
function countEstimatedTokens(text: string): number {
  if (!isAscii(text)) return estimatedTokens(text).length;
  // Like `eachRun`, without a call per run.
  let tokens = 0;
  let length = 0;
  let kind: Kind = "single";
  for (let place = 0; place < text.length; place += asciiUnitLength(text, place)) {
    const next = asciiKind(text.charCodeAt(place));
    const goesOn = length > 0 && continuesToken(kind, next, length);
    if (!goesOn) tokens++;
    length = goesOn ? length + 1 : 1;
    kind = next;
  }
  return tokens;
}

/**
 * Joins neighbouring pieces in groups. Each group is a slice of the text, since copies would cost each stream memory.
 */
function inGroups(text: string, parts: readonly string[], size: number): readonly string[] {
  const groups: string[] = [];
  let start = 0;
  let end = 0;
  for (const [place, part] of parts.entries()) {
    end += part.length;
    if ((place + 1) % size > 0 && place + 1 < parts.length) continue;
    groups.push(text.slice(start, end));
    start = end;
  }
  return groups;
}

/** Whether a grapheme continues the previous run, whose kind is `kind` and whose length in graphemes is `length`. */
type Continues = (kind: Kind, next: Kind, length: number) => boolean;

type Kind = "letter" | "digit" | "space" | "other" | "single";

function runsIn(text: string, continues: Continues): readonly string[] {
  const runs: string[] = [];
  eachRun(text, continues, (start, end) => runs.push(text.slice(start, end)));
  return runs;
}

/** Visits the runs of a text, in order. */
function eachRun(
  text: string,
  continues: Continues,
  found: (start: number, end: number) => void,
): void {
  // A pure ASCII text needs no list of graphemes.
  const units = isAscii(text) ? undefined : graphemes(text);
  let start = 0;
  let end = 0;
  let length = 0;
  let kind: Kind = "single";
  for (let place = 0; end < text.length; place++) {
    const unit = units?.[place];
    const next = unit === undefined ? asciiKind(text.charCodeAt(end)) : kindOf(unit);
    if (length > 0 && !continues(kind, next, length)) {
      found(start, end);
      start = end;
      length = 0;
    }
    end += unit?.length ?? asciiUnitLength(text, end);
    length++;
    kind = next;
  }
  if (length > 0) found(start, end);
}

/** The length of the grapheme at a position of an ASCII text: 2 for CR LF, else 1. */
function asciiUnitLength(text: string, place: number): number {
  return text.charCodeAt(place) === 0x0d && text.charCodeAt(place + 1) === 0x0a ? 2 : 1;
}

/** The longest run of one kind that is a token. Real encodings average four characters per token. */
const tokenLengths: Readonly<Record<Kind, number>> = {
  letter: 8,
  digit: 4,
  space: 16,
  other: 4,
  single: 1,
};

/**
 * Whether a token continues: it is at most one space and a short run of letters, digits or signs, or a run of white
 * space.
 */
function continuesToken(kind: Kind, next: Kind, length: number): boolean {
  if (next === "single") return false;
  if (kind === next) return length < tokenLengths[kind];
  return kind === "space" && length === 1;
}

/** Whether a word continues: it is white space and the text up to the next white space. */
function continuesWord(kind: Kind, next: Kind): boolean {
  return next !== "space" || kind === "space";
}

/** The letters of writing systems whose letters are words or syllables. Each is one token. */
const ideograph = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function kindOf(unit: string): Kind {
  const code = unit.charCodeAt(0);
  if (code < 0x80) return asciiKind(code);
  if (ideograph.test(unit)) return "single";
  if (/^\p{L}/u.test(unit)) return "letter";
  if (/^\p{N}/u.test(unit)) return "digit";
  return /^\s/u.test(unit) ? "space" : "single";
}

function asciiKind(code: number): Kind {
  if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return "space";
  if (code >= 0x30 && code <= 0x39) return "digit";
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? "letter" : "other";
}

/** Beyond this length an estimate by characters is close enough, and much faster. */
const longText = 32_768;

/** Characters per token of English text, on average. */
const charactersPerToken = 4;

/** The most characters of a token, except for graphemes of many characters. */
const longestToken = 20;

/** Estimates tokens by the kinds of their characters, without loading anything. */
export const estimateTokenizer: Tokenizer = {
  name: "estimate",
  count: (text) =>
    text.length > longText
      ? Math.ceil(text.length / charactersPerToken)
      : countEstimatedTokens(text),
  split: estimatedTokens,
  start: (text, tokens) => {
    const window = text.slice(0, (tokens + 2) * longestToken);
    if (window.length === text.length) return firstOf(estimatedTokens(text), tokens);
    // The last token of a window may continue after it.
    const parts = estimatedTokens(window).slice(0, -1);
    return firstOf(parts.length >= tokens ? parts : estimatedTokens(text), tokens);
  },
};

function firstOf(parts: readonly string[], tokens: number): readonly TokenPart[] {
  return parts.slice(0, tokens).map((text) => ({ text, tokens: 1 }));
}
