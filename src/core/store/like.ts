import { columnKinds } from "./column-kinds.ts";
import { numericText, parseNumber, realText } from "./number-text.ts";
import type { ComparisonRules } from "./order-value.ts";
import { foldAscii, wellFormed } from "./text-order.ts";
import { BlobValue, ExactInteger, type Value, WholeReal } from "./value.ts";

/**
 * Compiles a LIKE pattern as SQLite reads it: `%` is any run of characters, `_` is one code point, ASCII letters match
 * in either case, nothing escapes, and pattern and text end at their first NUL.
 */
export function compileLike(pattern: string): (text: string) => boolean {
  const [first = "", ...rest] = folded(wellFormed(upToNul(pattern))).split("%");
  const last = rest.pop();
  const searches = rest.filter((segment) => segment !== "").map(firstMatchOf);
  return (given) => {
    const text = folded(upToNul(given));
    let at = endOfMatch(first, text, 0);
    for (const search of searches) at = at < 0 ? at : search(text, at);
    if (at < 0 || last === undefined) return at === text.length;
    return endsWith(text, last, at);
  };
}

function upToNul(text: string): string {
  const end = text.indexOf("\0");
  return end < 0 ? text : text.slice(0, end);
}

/** SQLite's LIKE folds ASCII letters and reads the noncharacters U+FFFE and U+FFFF as U+FFFD. */
function folded(text: string): string {
  return foldAscii(text).replaceAll(/[\ufffe\uffff]/g, replacement);
}

/** Where the match that starts at `start` ends; -1 if the segment does not match there. */
function endOfMatch(segment: string, text: string, start: number): number {
  let at = start;
  for (let place = 0; place < segment.length; place++) {
    if (at >= text.length) return -1;
    if (segment[place] !== "_") {
      if (segment.charCodeAt(place) !== text.charCodeAt(at)) return -1;
      at++;
    } else at += lengthAt(text, at);
  }
  return at;
}

/** Segments up to this length are found by `indexOf`, since no text makes that slow. */
const shortSegment = 16;

/** Finds the end of the first match of a segment at or after a position; -1 if there is none. */
function firstMatchOf(segment: string): (text: string, from: number) => number {
  if (segment.includes("_")) return parallelSearch(segment);
  const head = segment.slice(0, shortSegment);
  const search = head === segment ? undefined : parallelSearch(segment);
  return (text, from) => {
    const start = text.indexOf(head, from);
    if (start < 0) return -1;
    return search === undefined ? start + segment.length : search(text, start);
  };
}

/**
 * Searches by Shift-And: a bit for each code point of the segment says whether the segment up to there matches what
 * was just read. A text is read once, however many of its places look like the segment's start.
 */
function parallelSearch(segment: string): (text: string, from: number) => number {
  const points = Array.from(segment);
  const words = Math.ceil(points.length / 32);
  const any = new Int32Array(words);
  for (const [place, point] of points.entries()) if (point === "_") setBit(any, place);
  const places = new Map<number, Int32Array>();
  for (const [place, point] of points.entries()) {
    if (point === "_") continue;
    const code = point.codePointAt(0) ?? 0;
    const own = places.get(code) ?? any.slice();
    setBit(own, place);
    places.set(code, own);
  }
  const lastBit = 1 << ((points.length - 1) % 32);
  const matched = new Int32Array(words);
  return (text, from) => {
    matched.fill(0);
    for (let at = from; at < text.length;) {
      const code = text.codePointAt(at) ?? 0;
      at += code > 0xffff ? 2 : 1;
      const allowed = places.get(code) ?? any;
      let carried = 1;
      for (let word = 0; word < words; word++) {
        const before = matched[word] ?? 0;
        matched[word] = ((before << 1) | carried) & (allowed[word] ?? 0);
        carried = before >>> 31;
      }
      if (((matched[words - 1] ?? 0) & lastBit) !== 0) return at;
    }
    return -1;
  };
}

function setBit(bits: Int32Array, place: number): void {
  bits[place >> 5] = (bits[place >> 5] ?? 0) | (1 << (place % 32));
}

/** How many units the code point at a position has. */
function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Whether a text ends with a segment, at or after a position. */
function endsWith(text: string, segment: string, from: number): boolean {
  let at = text.length;
  for (let place = segment.length - 1; place >= 0; place--) {
    if (at <= from) return false;
    at--;
    if (segment[place] !== "_") {
      if (segment.charCodeAt(place) !== text.charCodeAt(at)) return false;
    } else if (at > from && lengthAt(text, at - 1) === 2) at--;
  }
  return true;
}

/** A value's text as LIKE sees it: SQLite's digits for numbers, text for blobs, JSON for the rest. */
export function likeText(value: Value, { kind }: ComparisonRules): string {
  const { isDocument, readsNumbers, digits } = columnKinds[kind];
  if (isDocument) return JSON.stringify(value);
  if (typeof value === "string") return readsNumbers ? numericLikeText(value) : value;
  if (typeof value === "number") return digits(value);
  if (value instanceof ExactInteger) return value.value.toString();
  if (value instanceof WholeReal) return realText(value.value);
  return value instanceof BlobValue ? blobText(value.bytes) : JSON.stringify(value);
}

/** A text that looks like a number counts as the number in a NUMERIC column. */
function numericLikeText(text: string): string {
  const number = parseNumber(text);
  if (number === undefined) return text;
  return typeof number === "bigint" ? number.toString() : numericText(number);
}

const replacement = "\ufffd";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A blob as text, up to its first NUL, where LIKE stops. Invalid UTF-8 becomes U+FFFD, for which SQLite has other
 * rules.
 */
function blobText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return utf8.decode(end < 0 ? bytes : bytes.subarray(0, end));
}
