import { decodedPart } from "../../../core/http/url-parts.ts";

/** Longer texts are searched in pieces. They overlap by more than the longest value. */
const pieceLength = 1 << 20;
const overlap = 1 << 16;

/** The pieces of a text, with their positions. */
export function* piecesOf(
  text: string,
): Generator<{ readonly from: number; readonly text: string }> {
  for (let from = 0; from === 0 || from + overlap < text.length; from += pieceLength) {
    const isWhole = from === 0 && text.length <= pieceLength;
    yield { from, text: isWhole ? text : text.slice(from, from + pieceLength + overlap) };
  }
}

/** A text in one of the ways to decode it. */
export interface Reading {
  readonly text: string;
  /** The text before decoding, and the decoding. Undefined for the original text. */
  readonly decoded?: { readonly from: Reading; readonly by: Decoding };
}

/** A way to decode escapes. */
interface Decoding {
  /** A character that every escape contains. */
  readonly mark: string;
  readonly pattern: RegExp;
  readonly decode: (found: string) => string;
}

/** How often a text is decoded: a string within a string of JSON, a URL within a parameter of a URL. */
const deepest = 5;

const escaped: Decoding = {
  mark: "\\",
  pattern: /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g,
  decode: (found) => String(JSON.parse(`"${found}"`)),
};

const percentEncoded: Decoding = {
  mark: "%",
  // The bytes of one UTF-8 character, else a single byte.
  pattern:
    /%(?:[c-d][0-9a-f](?:%[89ab][0-9a-f])|e[0-9a-f](?:%[89ab][0-9a-f]){2}|f[0-7](?:%[89ab][0-9a-f]){3}|[0-9a-f]{2})/gi,
  decode: (found) =>
    decodedPart(found) ??
    found.replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
};

/**
 * A text in all ways to decode it: as it is, without JSON escapes, without percent encoding, and with combinations of
 * these.
 */
export function readingsOf(text: string): readonly Reading[] {
  if (!/[\\%]/.test(text)) return [{ text }];
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
  return readings;
}

function readingBy(by: Decoding, from: Reading): Reading | undefined {
  if (!from.text.includes(by.mark)) return undefined;
  const text = from.text.replaceAll(by.pattern, (found) => by.decode(found));
  return text === from.text ? undefined : { text, decoded: { from, by } };
}

/**
 * Maps each character of a decoded text to its position in the original text, and has the end as one more entry.
 * Undefined for the original text.
 */
export function originsOf({ decoded }: Reading): Uint32Array | undefined {
  if (decoded === undefined) return undefined;
  const { from, by } = decoded;
  const before = originsOf(from);
  const places: number[] = [];
  let end = 0;
  for (const { index, 0: found } of from.text.matchAll(by.pattern)) {
    for (let at = end; at < index; at++) places.push(at);
    // All code units that come from one escape map to its beginning.
    for (let unit = by.decode(found).length; unit > 0; unit--) places.push(index);
    end = index + found.length;
  }
  for (let at = end; at <= from.text.length; at++) places.push(at);
  return Uint32Array.from(places, (at) => (before === undefined ? at : (before[at] ?? 0)));
}
