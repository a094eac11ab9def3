import { binaryText, toBase64 } from "../../../core/replay/base64.ts";
import type { RuleMatch } from "../../../core/replay/rule-matches.ts";
import { originsOf, piecesOf, type Reading, readingsOf } from "./readings.ts";

/** A value that is looked for in every place. */
export interface Secret {
  /** What its placeholders are called. */
  readonly as: string;
  readonly needles: readonly Needle[];
}

/** Shorter values are taken out of their own places only: elsewhere they are parts of words. */
export const shortestEverywhere = 6;

/** A character of base64, for URLs too. */
export const base64Character: RegExp = /[\w+/-]/;

/** Where the values stand in a text: as they are, escaped, percent-encoded and within base64. */
export function findSecrets(
  text: string,
  secrets: ReadonlyMap<string, Secret>,
): readonly RuleMatch[] {
  // A value is never shorter by any way to write it.
  if (secrets.size === 0 || text.length < shortestEverywhere) return [];
  const found: RuleMatch[] = [];
  for (const piece of piecesOf(text)) {
    for (const reading of readingsOf(piece.text)) {
      for (const { start, end, value, as } of placesIn(reading, secrets)) {
        found.push({ start: piece.from + start, end: piece.from + end, value, as });
      }
    }
  }
  return found;
}

/** Where the values stand in a reading, by places of the text that it is one of. */
function placesIn(reading: Reading, secrets: ReadonlyMap<string, Secret>): readonly RuleMatch[] {
  const { text } = reading;
  const isBase64 = (at: number): boolean => base64Character.test(text[at] ?? "");
  const places: RuleMatch[] = [];
  for (const [value, { as, needles }] of secrets) {
    for (const { text: needle, before, after } of needles) {
      for (
        let at = text.indexOf(needle);
        at !== -1;
        at = text.indexOf(needle, at + needle.length)
      ) {
        const end = at + needle.length;
        places.push({
          start: before && isBase64(at - 1) ? at - 1 : at,
          end: after ? lastOfBase64(text, end) : end,
          value,
          as,
        });
      }
    }
  }
  const origins = places.length === 0 ? undefined : originsOf(reading);
  if (origins === undefined) return places;
  return places.map((place) => ({
    ...place,
    start: origins[place.start] ?? 0,
    end: origins[place.end] ?? 0,
  }));
}

/** Where the base64 of a value ends: after the character that has its last bits, and the padding, which tells its length. */
function lastOfBase64(text: string, end: number): number {
  if (!base64Character.test(text[end] ?? "")) return end;
  return end + (/^.={0,2}/.exec(text.slice(end, end + 3))?.[0].length ?? 0);
}

/** A text by which a value is found. */
interface Needle {
  readonly text: string;
  /** In base64: whether the character before it, or after it, has bits of the value, too. */
  readonly before: boolean;
  readonly after: boolean;
}

const encoder = new TextEncoder();

/**
 * Makes the texts by which a value is found: as it is, as it is where its bytes were taken for characters, or its spaces
 * for plus signs, and what base64 makes of it whatever stands before and after it.
 */
export function needlesOf(value: string): readonly Needle[] {
  const bytes = encoder.encode(value);
  const plain = new Set([value, binaryText(bytes), value.replaceAll(" ", "+")]);
  const base64 = [0, 1, 2].flatMap((skipped) => {
    const needle = base64Needle(bytes, skipped);
    const forUrls = needle.text.replaceAll("+", "-").replaceAll("/", "_");
    return forUrls === needle.text ? [needle] : [needle, { ...needle, text: forUrls }];
  });
  return [...Array.from(plain, (text) => ({ text, before: false, after: false })), ...base64];
}

/** Each character of base64 has six bits: those that have none of the bytes around are always the same. */
function base64Needle(bytes: Uint8Array, skipped: number): Needle {
  const padded = new Uint8Array(Math.ceil((skipped + bytes.length) / 3) * 3);
  padded.set(bytes, skipped);
  const first = (8 * skipped) / 6;
  const last = (8 * (skipped + bytes.length)) / 6;
  return {
    text: toBase64(padded).slice(Math.ceil(first), Math.floor(last)),
    before: !Number.isInteger(first),
    after: !Number.isInteger(last),
  };
}
