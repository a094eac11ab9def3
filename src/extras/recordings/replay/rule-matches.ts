import type { CompiledRules } from "../../../core/recordings/recording-rules.ts";

/** A part of a text. */
export interface Span {
  readonly start: number;
  /** The position after the last character. */
  readonly end: number;
}

/** A value that a rule finds in a text. */
export interface RuleMatch extends Span {
  readonly value: string;
  readonly as: string;
}

/** Finds the matches of the rules' regular expressions in a text, rule by rule. */
export function findRuleMatches(text: string, { regexes }: CompiledRules): readonly RuleMatch[] {
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
 * Sorts places and merges overlapping ones. A merged place keeps the rule of the one that starts first, or of the
 * longest of those.
 */
export function mergeOverlaps<Place extends Span>(places: readonly Place[]): readonly Place[] {
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

/** Texts are searched in steps of this length, since some expressions take quadratic time. */
const step = 8_192;

/** The length of the longest match that is found. */
const longest = 4_096;

/** How many characters before a step an expression can see. */
const behind = 256;

/**
 * Finds where an expression matches, except for empty matches. Runs of more than `longest` letters and digits are data,
 * such as a picture, and are skipped.
 */
export function findMatches(text: string, regex: RegExp): readonly Span[] {
  if (text.length <= longest) return matchesIn(text, regex);
  let from = 0;
  const places: Span[] = [];
  const blobs = longRuns(text, longest + 1, (at) => blobCharacter.test(text[at] ?? ""));
  for (const { start, end } of [...blobs, { start: text.length, end: text.length }]) {
    for (const place of matchesIn(text.slice(from, start), regex)) {
      places.push({ start: from + place.start, end: from + place.end });
    }
    from = end;
  }
  return places;
}

const blobCharacter = /[\w+/=-]/;

/**
 * Finds the runs of at least `least` characters that satisfy a condition. Only every `least`-th character is tested at
 * first, since each such run contains one of them.
 */
function* longRuns(text: string, least: number, isIn: (at: number) => boolean): Generator<Span> {
  let after = 0;
  for (let at = least - 1; at < text.length; at += least) {
    if (at < after || !isIn(at)) continue;
    let start = at;
    while (start > after && isIn(start - 1)) start -= 1;
    after = at + 1;
    while (after < text.length && isIn(after)) after += 1;
    if (after - start >= least) yield { start, end: after };
  }
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

/**
 * The first match that starts in a part of a text. If it reaches the end of the searched text, more text is searched,
 * since it may be longer.
 */
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

/**
 * An expression without the flag `u` may match half of a surrogate pair, so a match is extended to whole characters.
 */
function wholeCharacters(text: string, { start, end }: Span): Span {
  return { start: start - splits(text, start), end: end + splits(text, end) };
}

function splits(text: string, at: number): 0 | 1 {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1)) ? 1 : 0;
}
