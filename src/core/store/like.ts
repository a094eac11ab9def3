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
  const read = wellFormed(pattern.slice(0, endOf(pattern)));
  const filter = compileFilter(read);
  const [first = "", ...rest] = folded(read).split("%");
  const last = rest.pop();
  const inner = rest.filter((segment) => segment !== "").map(compileSegment);
  const matches = (given: string): boolean => {
    const text = folded(given.slice(0, endOf(given)));
    let at = endOfMatch(first, text, 0);
    for (const segment of inner) at = at < 0 ? at : findEnd(segment, text, at);
    if (at < 0 || last === undefined) return at === text.length;
    return endsWith(text, last, at);
  };
  const isContainsOnly = containsOnly.test(read);
  return (text) => filter.test(text) && ((isContainsOnly && !text.includes("\0")) || matches(text));
}

function endOf(text: string): number {
  const end = text.indexOf("\0");
  return end < 0 ? text.length : end;
}

/** SQLite's LIKE folds ASCII letters and reads the noncharacters U+FFFE and U+FFFF as U+FFFD. */
function folded(text: string): string {
  return foldAscii(text).replaceAll(/[\ufffe\uffff]/g, replacement);
}

/** Where a match of a segment at a position ends; -1 where it does not match there. */
function endOfMatch(segment: string, text: string, start: number): number {
  let at = start;
  for (let place = 0; place < segment.length; place++) {
    if (at >= text.length) return -1;
    if (segment[place] !== "_") {
      if (segment.charCodeAt(place) !== text.charCodeAt(at)) return -1;
      at++;
    } else at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}

/** The text between two `%`, with a bit per code point. */
interface Segment {
  /** The bits that a code point of the text matches. */
  readonly places: ReadonlyMap<number, Int32Array>;
  /** The bits of `_`, which match any code point. */
  readonly wild: Int32Array;
  /** The last bit, within the last 32. */
  readonly lastBit: number;
}

function compileSegment(segment: string): Segment {
  const points = Array.from(segment);
  const wild = new Int32Array(Math.ceil(points.length / 32));
  for (const [at, point] of points.entries()) if (point === "_") setBit(wild, at);
  const places = new Map<number, Int32Array>();
  for (const [at, point] of points.entries()) {
    const code = point.codePointAt(0) ?? 0;
    const bits = places.get(code) ?? wild.slice();
    setBit(bits, at);
    places.set(code, bits);
  }
  return { places, wild, lastBit: 1 << ((points.length - 1) & 31) };
}

function setBit(bits: Int32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
}

/**
 * Where the first match of a segment ends; -1 if there is none. Reads each code point of the text once and advances
 * all partial matches by one bit (Baeza-Yates and Gonnet). A repetitive pattern of 1,000 letters takes 0.2 s over 2
 * MB. Searching again from each position takes 5 s, and nobody else is answered meanwhile.
 */
function findEnd({ places, wild, lastBit }: Segment, text: string, start: number): number {
  const begun = new Int32Array(wild.length);
  for (let at = start; at < text.length;) {
    const point = text.codePointAt(at) ?? 0;
    at += point > 0xffff ? 2 : 1;
    const bits = places.get(point) ?? wild;
    let carry = 1;
    for (let word = 0; word < begun.length; word++) {
      const own = begun[word] ?? 0;
      begun[word] = ((own << 1) | carry) & (bits[word] ?? 0);
      carry = own >>> 31;
    }
    if (((begun[begun.length - 1] ?? 0) & lastBit) !== 0) return at;
  }
  return -1;
}

/** Whether a text ends with a segment, at or after a position. */
function endsWith(text: string, segment: string, from: number): boolean {
  let at = text.length;
  for (let place = segment.length - 1; place >= 0; place--) {
    if (at <= from) return false;
    at--;
    if (segment[place] !== "_") {
      if (segment.charCodeAt(place) !== text.charCodeAt(at)) return false;
    } else if (at > from && (text.codePointAt(at - 1) ?? 0) > 0xffff) at--;
  }
  return true;
}

/**
 * A filter with all of `%part%` decides alone, except for a NUL in the text: 2 ms for those 100,000 texts instead of
 * 9.
 */
const containsOnly = /^%[^%_]{0,32}%$/;

/** Longer filters are no better. */
const longestFilter = 32;

/**
 * A regular expression that every matching text passes and few others do: the pattern's longest run of letters.
 * Searching 100,000 texts of 25 characters takes 2 to 10 ms with it, 20 to 25 without.
 */
function compileFilter(pattern: string): RegExp {
  const runs = pattern.split(/[%_]/);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  const filter = longest.slice(0, longestFilter).replace(/[^]/g, (unit) => {
    if (unit >= "\ufffd") return "[\ufffd-\uffff]";
    if (/[a-z]/i.test(unit)) return `[${unit.toLowerCase()}${unit.toUpperCase()}]`;
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return new RegExp(filter);
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

/** A blob's text, up to its first NUL, where LIKE ends. What is no UTF-8 counts as U+FFFD; SQLite has other rules. */
function blobText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return utf8.decode(end < 0 ? bytes : bytes.subarray(0, end));
}
