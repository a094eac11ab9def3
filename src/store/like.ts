import { foldAscii } from "./text-order.ts";

/** What stands between two `%`: code points, null for a `_`, which is any one of them. */
interface Segment {
  readonly points: readonly (string | null)[];
  /** The segment as a plain text, when it has no `_`. */
  readonly literal: string | undefined;
}

/**
 * Compiles a LIKE pattern: `%` is any run of characters, `_` one code point, ASCII letters match in either
 * case, and there is no escape. Segments are found one after another, the first place each, so a pattern
 * with many `%` does not try all combinations.
 */
export function compileLike(pattern: string): (text: string) => boolean {
  const matches = compilePattern(foldAscii(untilNul(pattern)));
  return (text) => matches(foldAscii(untilNul(text)));
}

/** SQLite's LIKE takes both sides as C strings: they end at the first NUL. */
function untilNul(text: string): string {
  const end = text.indexOf("\0");
  return end < 0 ? text : text.slice(0, end);
}

function compilePattern(pattern: string): (text: string) => boolean {
  const segments = pattern.split("%").map(readSegment);
  const first = segments[0] ?? readSegment("");
  if (segments.length === 1) return (text) => matchAt(text, 0, first) === text.length;
  const middle = segments.slice(1, -1).filter(({ points }) => points.length > 0);
  const last = segments.at(-1) ?? first;
  return (text) => matchSegments(text, { first, middle, last });
}

function readSegment(text: string): Segment {
  const points = Array.from(text, (point) => (point === "_" ? null : point));
  return { points, literal: text.includes("_") ? undefined : text };
}

interface Segments {
  readonly first: Segment;
  readonly middle: readonly Segment[];
  readonly last: Segment;
}

function matchSegments(text: string, { first, middle, last }: Segments): boolean {
  let position = matchAt(text, 0, first);
  for (const segment of middle) {
    if (position < 0) return false;
    position = findFrom(text, position, segment);
  }
  if (position < 0) return false;
  const start = startFromEnd(text, last);
  return start >= position && matchAt(text, start, last) === text.length;
}

/** Where a match of the segment that begins at `start` ends, or -1. */
function matchAt(text: string, start: number, { points, literal }: Segment): number {
  if (literal !== undefined) return text.startsWith(literal, start) ? start + literal.length : -1;
  let position = start;
  for (const point of points) {
    const length = lengthAt(text, position);
    if (length === 0) return -1;
    if (point !== null && !text.startsWith(point, position)) return -1;
    position += length;
  }
  return position;
}

/** Where the first match of the segment at or after `start` ends, or -1. */
function findFrom(text: string, start: number, segment: Segment): number {
  if (segment.literal !== undefined) {
    const found = text.indexOf(segment.literal, start);
    return found < 0 ? -1 : found + segment.literal.length;
  }
  for (let position = start; position < text.length; position += lengthAt(text, position)) {
    const end = matchAt(text, position, segment);
    if (end >= 0) return end;
  }
  return -1;
}

/** Where a segment would begin that ends with the text, or -1 when the text is too short for it. */
function startFromEnd(text: string, { points, literal }: Segment): number {
  if (literal !== undefined) return text.length - literal.length;
  let position = text.length;
  for (let left = points.length; left > 0; left--) {
    if (position <= 0) return -1;
    position -= isPairAt(text, position - 2) ? 2 : 1;
  }
  return position;
}

/** How many code units the code point at `position` has; 0 at the end of the text. */
function lengthAt(text: string, position: number): number {
  if (position >= text.length) return 0;
  return isPairAt(text, position) ? 2 : 1;
}

function isPairAt(text: string, position: number): boolean {
  return (text.codePointAt(position) ?? 0) > 0xffff;
}
