import type { Span } from "./edits.ts";
import type { Found } from "./find-matches.ts";
import { needlesOf, type Needles } from "./needles.ts";
import { shortestEverywhere } from "./placeholders.ts";
import { originsOf, type Reading, readingsOf } from "./readings.ts";

/** A longer text is searched in pieces, which overlap by more than any value is long. */
const piece = 1 << 20;
const overlap = 1 << 16;

const base64Character = /[\w+/-]/;

/** Where the values stand in a text: as they are, escaped, percent-encoded and within base64. */
export function findSecrets(text: string, values: ReadonlyMap<string, string>): readonly Found[] {
  // A value is never shorter by any way to write it.
  if (values.size === 0 || text.length < shortestEverywhere) return [];
  const found: Found[] = [];
  for (let from = 0; from === 0 || from + overlap < text.length; from += piece) {
    const searched =
      from === 0 && text.length <= piece ? text : text.slice(from, from + piece + overlap);
    for (const reading of readingsOf(searched)) {
      for (const { start, end, value, as } of placesIn(reading, values)) {
        found.push({ start: from + start, end: from + end, value, as });
      }
    }
  }
  return found;
}

/** Where the values stand in a reading, by places of the text that it is one of. */
function placesIn(reading: Reading, values: ReadonlyMap<string, string>): readonly Found[] {
  const places: Found[] = [];
  for (const [value, as] of values) {
    for (const { start, end } of placesOf(reading.text, knownNeedles(value))) {
      places.push({ start, end, value, as });
    }
  }
  const origins = places.length === 0 ? undefined : originsOf(reading);
  if (origins === undefined) return places;
  return places.map(({ start, end, value, as }) => ({
    start: origins[start] ?? 0,
    end: origins[end] ?? 0,
    value,
    as,
  }));
}

function placesOf(text: string, { plain, base64 }: Needles): readonly Span[] {
  const places: Span[] = [];
  for (const needle of plain) occurrences(text, needle, places);
  for (const { text: needle, before, after } of base64) {
    for (const { start, end } of occurrences(text, needle)) {
      places.push({
        start: before && base64Character.test(text[start - 1] ?? "") ? start - 1 : start,
        end: after && base64Character.test(text[end] ?? "") ? end + 1 : end,
      });
    }
  }
  return places;
}

// oxlint-disable-next-line max-params -- where to add them to
function occurrences(text: string, needle: string, places: Span[] = []): readonly Span[] {
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    places.push({ start: at, end: at + needle.length });
  }
  return places;
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
