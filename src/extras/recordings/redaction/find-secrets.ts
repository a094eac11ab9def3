import { binaryText, toBase64 } from "../../../core/replay/base64.ts";
import { decodedPart } from "../../../core/http/url-parts.ts";
import type { RuleMatch } from "../../../core/replay/rule-matches.ts";

/** A value that is looked for in every place. */
export interface Secret {
  /** What its placeholders are called. */
  readonly as: string;
  readonly needles: readonly Needle[];
}

/** Shorter values are taken out of their own places only: elsewhere they are parts of words. */
export const shortestEverywhere = 6;

/** A longer text is searched in pieces, which overlap by more than any value is long. */
const piece = 1 << 20;
const overlap = 1 << 16;

const base64Character = /[\w+/-]/;

/** Where the values stand in a text: as they are, escaped, percent-encoded and within base64. */
export function findSecrets(
  text: string,
  secrets: ReadonlyMap<string, Secret>,
): readonly RuleMatch[] {
  // A value is never shorter by any way to write it.
  if (secrets.size === 0 || text.length < shortestEverywhere) return [];
  const found: RuleMatch[] = [];
  for (let from = 0; from === 0 || from + overlap < text.length; from += piece) {
    const searched =
      from === 0 && text.length <= piece ? text : text.slice(from, from + piece + overlap);
    for (const reading of readingsOf(searched)) {
      for (const { start, end, value, as } of placesIn(reading, secrets)) {
        found.push({ start: from + start, end: from + end, value, as });
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
          end: after && isBase64(end) ? end + 1 : end,
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

/** A text as somebody reads it who decodes it. */
interface Reading {
  readonly text: string;
  /** What it was decoded from, and how. Undefined: nothing was. */
  readonly decoded?: { readonly from: Reading; readonly by: Decoding };
}

/** What stands for something else, and for what. */
interface Decoding {
  /** A character that each has. */
  readonly mark: string;
  readonly pattern: RegExp;
  readonly decode: (found: string) => string;
}

/** How often a text is decoded: JSON in a string of JSON, in a URL that is a parameter of another. */
const deepest = 5;

const escaped: Decoding = {
  mark: "\\",
  pattern: /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g,
  decode: (found) => String(JSON.parse(`"${found}"`)),
};

const percentEncoded: Decoding = {
  mark: "%",
  // The bytes of one character in UTF-8, else a single byte.
  pattern:
    /%(?:[c-d][0-9a-f](?:%[89ab][0-9a-f])|e[0-9a-f](?:%[89ab][0-9a-f]){2}|f[0-7](?:%[89ab][0-9a-f]){3}|[0-9a-f]{2})/gi,
  decode: (found) =>
    decodedPart(found) ??
    found.replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
};

/** Within base64 only: elsewhere nobody takes the ends of lines out. */
const inLines: Decoding = {
  mark: "\n",
  // What stands before is looked at last: at each character it would take some times as long.
  pattern: /\r?\n(?=[\w+/-])(?<=[\w+/-]{16}\r?\n)/g,
  decode: () => "",
};

/** A text as it is, without escapes of JSON, without percent encoding, and without both, however often. */
function readingsOf(text: string): readonly Reading[] {
  if (!/[\\%\n]/.test(text)) return [{ text }];
  const readings: Reading[] = [{ text }];
  const seen = new Set([text]);
  for (let level = 0, from = 0; level < deepest; level++) {
    const last = readings.length;
    for (const reading of readings.slice(from)) {
      for (const decoding of [escaped, percentEncoded]) {
        const next = readingBy(decoding, reading);
        if (next === undefined || seen.has(next.text)) continue;
        seen.add(next.text);
        readings.push(next);
      }
    }
    if (readings.length === last) break;
    from = last;
  }
  const unwrapped = readings.map((reading) => readingBy(inLines, reading));
  return [...readings, ...unwrapped.filter((reading) => reading !== undefined)];
}

function readingBy(by: Decoding, from: Reading): Reading | undefined {
  if (!from.text.includes(by.mark)) return undefined;
  const text = from.text.replaceAll(by.pattern, (found) => by.decode(found));
  return text === from.text ? undefined : { text, decoded: { from, by } };
}

/** Where in the first text each character of a reading came from; one more than there are characters. */
function originsOf({ decoded }: Reading): Uint32Array | undefined {
  if (decoded === undefined) return undefined;
  const { from, by } = decoded;
  const before = originsOf(from);
  const places: number[] = [];
  let end = 0;
  for (const { index, 0: found } of from.text.matchAll(by.pattern)) {
    for (let at = end; at < index; at++) places.push(at);
    // What stands for several units stands for them as a whole.
    for (let unit = by.decode(found).length; unit > 0; unit--) places.push(index);
    end = index + found.length;
  }
  for (let at = end; at <= from.text.length; at++) places.push(at);
  return Uint32Array.from(places, (at) => (before === undefined ? at : (before[at] ?? 0)));
}
