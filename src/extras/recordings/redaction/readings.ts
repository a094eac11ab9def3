import { decodedPart } from "../../../core/http/url-parts.ts";

/** A longer text is read in pieces, which overlap by more than any value is long. */
const pieceLength = 1 << 20;
const overlap = 1 << 16;

/** The pieces of a text, with the place where each begins. */
export function* piecesOf(
  text: string,
): Generator<{ readonly from: number; readonly text: string }> {
  for (let from = 0; from === 0 || from + overlap < text.length; from += pieceLength) {
    const isWhole = from === 0 && text.length <= pieceLength;
    yield { from, text: isWhole ? text : text.slice(from, from + pieceLength + overlap) };
  }
}

/** A text as somebody reads it who decodes it. */
export interface Reading {
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

/** A text as it is, without escapes of JSON, without percent encoding, and without both, however often. */
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

/** Where in the first text each character of a reading came from; one more than there are characters. */
export function originsOf({ decoded }: Reading): Uint32Array | undefined {
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
