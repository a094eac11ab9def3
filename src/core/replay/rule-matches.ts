import type { CompiledRules } from "./recording-rules.ts";

/** A part of a text. */
export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** A value that a rule finds in a text. */
export interface Found extends Span {
  readonly value: string;
  readonly as: string;
}

/** What the regular expressions of the rules find in a text, rule by rule. */
export function findRuleMatches(text: string, { regexes }: CompiledRules): readonly Found[] {
  return regexes.flatMap(({ regex, as }) =>
    findMatches(text, regex).map(({ start, end }) => ({
      start,
      end,
      as,
      value: text.slice(start, end),
    })),
  );
}

/**
 * Places in order, of which none overlaps another. Where some do, one takes all that they cover: the first to begin, and
 * of those the longest.
 */
export function apart<Place extends Span>(places: readonly Place[]): readonly Place[] {
  if (places.length < 2) return places;
  const sorted = places.toSorted((left, right) => left.start - right.start || right.end - left.end);
  const result: Place[] = [];
  for (const place of sorted) {
    const last = result.at(-1);
    if (last === undefined || place.start >= last.end) result.push(place);
    else if (place.end > last.end) result[result.length - 1] = { ...last, end: place.end };
  }
  return result;
}

/** How much of a text is searched at a time: the cost of some expressions grows with the square of it. */
const step = 8_192;

/** A match that begins in a step and is no longer than this is found. */
const longest = 4_096;

/** How far an expression can look behind. */
const behind = 256;

/**
 * The places where an expression, with the flag `g`, matches. Empty matches are none. Letters and digits of which more
 * than `longest` stand together are no words but bytes, such as those of a picture: there nothing is searched.
 */
function findMatches(text: string, regex: RegExp): readonly Span[] {
  if (text.length <= longest) return matchesIn(text, regex);
  let from = 0;
  const places: Span[] = [];
  for (const { start, end } of [...blobsIn(text), { start: text.length, end: text.length }]) {
    for (const place of matchesIn(text.slice(from, start), regex)) {
      places.push({ start: from + place.start, end: from + place.end });
    }
    from = end;
  }
  return places;
}

const blobCharacter = /[\w+/=-]/;

/** What is so long has a character at each multiple of its least length. */
function blobsIn(text: string): readonly Span[] {
  const blobs: Span[] = [];
  for (let at = 0, after = 0; at < text.length; at += longest) {
    if (at < after) continue;
    let start = at;
    while (start > after && blobCharacter.test(text[start - 1] ?? "")) start -= 1;
    let end = at;
    while (end < text.length && blobCharacter.test(text[end] ?? "")) end += 1;
    after = end;
    if (end - start > longest) blobs.push({ start, end });
  }
  return blobs;
}

function matchesIn(text: string, regex: RegExp): readonly Span[] {
  const places: Span[] = [];
  let done = 0;
  for (let from = 0; from < text.length; from += step) {
    while (done < from + step) {
      const place = nextMatch(text, regex, { from: Math.max(from, done), until: from + step });
      if (place === undefined) break;
      const whole = wholeCharacters(text, place);
      places.push(whole);
      done = whole.end;
    }
  }
  return places;
}

/** The first match that begins in a part of a text. One that goes to the end of what was searched may be longer. */
function nextMatch(
  text: string,
  regex: RegExp,
  { from, until }: { readonly from: number; readonly until: number },
): Span | undefined {
  const start = Math.max(0, from - behind);
  let end = until + longest;
  let at = from;
  while (at < until) {
    const searched = start === 0 && end >= text.length ? text : text.slice(start, end);
    regex.lastIndex = at - start;
    const match = regex.exec(searched);
    if (match === null || start + match.index >= until) return undefined;
    const found = { start: start + match.index, end: start + match.index + match[0].length };
    if (found.end === end && end < text.length) end += 4 * (end - found.start);
    else if (found.end === found.start) at = found.end + 1;
    else return found;
  }
  return undefined;
}

/** An expression without the flag `u` may begin or end within a character of two units. */
function wholeCharacters(text: string, { start, end }: Span): Span {
  return { start: start - splits(text, start), end: end + splits(text, end) };
}

function splits(text: string, at: number): 0 | 1 {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1)) ? 1 : 0;
}
