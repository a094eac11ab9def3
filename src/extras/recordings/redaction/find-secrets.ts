import { binaryText, toBase64 } from "../../../core/replay/base64.ts";
import type { Found, Span } from "../../../core/replay/rule-matches.ts";
import { shortestEverywhere } from "./numbered-placeholders.ts";

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

/** The texts by which a value is found. */
interface Needles {
  /** As it is, and as it is where its bytes were taken for characters, or its spaces for plus signs. */
  readonly plain: readonly string[];
  readonly base64: readonly Base64Needle[];
}

/** What base64 makes of a value whatever stands before and after it. */
interface Base64Needle {
  readonly text: string;
  /** Whether the character before it, or after it, has bits of the value, too. */
  readonly before: boolean;
  readonly after: boolean;
}

const encoder = new TextEncoder();

/** The texts by which a value is found. */
function needlesOf(value: string): Needles {
  const bytes = encoder.encode(value);
  const plain = new Set([value, binaryText(bytes), value.replaceAll(" ", "+")]);
  const base64 = [0, 1, 2].flatMap((skipped) => {
    const needle = base64Needle(bytes, skipped);
    const forUrls = needle.text.replaceAll("+", "-").replaceAll("/", "_");
    return forUrls === needle.text ? [needle] : [needle, { ...needle, text: forUrls }];
  });
  return { plain: [...plain], base64 };
}

/** Each character of base64 has six bits: those that have none of the bytes around are always the same. */
function base64Needle(bytes: Uint8Array, skipped: number): Base64Needle {
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

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

const escaped: Decoding = {
  mark: "\\",
  pattern: /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g,
  decode: (found) =>
    found[1] === "u"
      ? String.fromCharCode(Number.parseInt(found.slice(2), 16))
      : (escapes[found[1] ?? ""] ?? found),
};

const percentEncoded: Decoding = { mark: "%", pattern: /(?:%[0-9a-fA-F]{2})+/g, decode: bytesText };

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
    pushPlaces(places, by.decode(found), { found, index });
    end = index + found.length;
  }
  for (let at = end; at <= from.text.length; at++) places.push(at);
  return Uint32Array.from(places, (at) => (before === undefined ? at : (before[at] ?? 0)));
}

/** The characters of percent-encoded bytes; what is no UTF-8 becomes a character for each byte. */
function bytesText(found: string): string {
  try {
    return decodeURIComponent(found);
  } catch {
    return found.replaceAll(/%(..)/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}

/** Of percent-encoded characters each has its own bytes. */
function pushPlaces(
  places: number[],
  characters: string,
  { found, index }: { readonly found: string; readonly index: number },
): void {
  let at = index;
  const exact = found.startsWith("%") && found.length > 3;
  for (const character of exact ? characters : [characters]) {
    for (let unit = 0; unit < character.length; unit++) places.push(at);
    at += exact ? 3 * byteLength(character, found.length / 3 === characters.length) : 0;
  }
}

function byteLength(character: string, isOneByteEach: boolean): number {
  const code = character.codePointAt(0) ?? 0;
  if (isOneByteEach || code < 0x80) return 1;
  return code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4;
}
