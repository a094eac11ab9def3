import type { Span } from "./edits.ts";
import type { Found } from "./find-matches.ts";
import { type Base64Needle, needlesOf, type Needles } from "./needles.ts";
import { originsOf, type Reading, readingsOf } from "./readings.ts";

/** A longer text is searched in pieces, which overlap by more than any value is long. */
const piece = 1 << 20;
const overlap = 1 << 16;

const base64Character = /[\w+/-]/;

/** Where the values stand in a text: as they are, escaped, percent-encoded and within base64. */
export function findSecrets(text: string, values: ReadonlyMap<string, string>): readonly Found[] {
  if (values.size === 0 || text === "") return [];
  const found: Found[] = [];
  for (let from = 0; from === 0 || from + overlap < text.length; from += piece) {
    const searched =
      from === 0 && text.length <= piece ? text : text.slice(from, from + piece + overlap);
    for (const reading of readingsOf(searched)) {
      for (const [value, as] of values) {
        for (const { start, end } of placesOf(reading, knownNeedles(value))) {
          found.push({ start: from + start, end: from + end, value, as });
        }
      }
    }
  }
  return found;
}

function placesOf(reading: Reading, { plain, base64 }: Needles): readonly Span[] {
  const places = [
    ...plain.flatMap((needle) => occurrences(reading.text, needle)),
    ...base64.flatMap((needle) => encodedOccurrences(reading.text, needle)),
  ];
  if (places.length === 0) return places;
  const origins = originsOf(reading);
  if (origins === undefined) return places;
  return places.map(({ start, end }) => ({ start: origins[start] ?? 0, end: origins[end] ?? 0 }));
}

function occurrences(text: string, needle: string): Span[] {
  const places: Span[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    places.push({ start: at, end: at + needle.length });
  }
  return places;
}

function encodedOccurrences(text: string, { text: needle, before, after }: Base64Needle): Span[] {
  return occurrences(text, needle).map(({ start, end }) => ({
    start: before && base64Character.test(text[start - 1] ?? "") ? start - 1 : start,
    end: after && base64Character.test(text[end] ?? "") ? end + 1 : end,
  }));
}

/** The same keys are sent again and again. */
const known: Map<string, Needles> = new Map();
const mostKnown = 100;

function knownNeedles(value: string): Needles {
  const before = known.get(value);
  if (before !== undefined) return before;
  if (known.size === mostKnown) known.clear();
  const made = needlesOf(value);
  known.set(value, made);
  return made;
}
