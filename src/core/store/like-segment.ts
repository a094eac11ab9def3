import { findLong, type LongSegment, longSegment, readLongSegment } from "./like-long-segment.ts";

/** What stands between two `%`. */
export interface Segment {
  /** UTF-16 code units, ASCII letters in lower case; {@link anyPoint} for a `_`. */
  readonly units: Int32Array;
  /** The same with ASCII letters in upper case. */
  readonly upper: Int32Array;
  readonly hasAnyPoint: boolean;
  /** The segment as it is looked for in a text when it is long. */
  readonly long: LongSegment | undefined;
}

/** The part of a text in which a segment must match. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A `_`: any one code point, which may be two units. */
const anyPoint = -1;

export function readSegment(pattern: string): Segment {
  const units = Int32Array.from(unitsOf(pattern), toLower);
  return {
    units,
    upper: units.map(toUpper),
    hasAnyPoint: pattern.includes("_"),
    long: pattern.length < longSegment ? undefined : readLongSegment(pattern),
  };
}

function unitsOf(pattern: string): readonly number[] {
  return Array.from({ length: pattern.length }, (_, index) =>
    pattern[index] === "_" ? anyPoint : pattern.charCodeAt(index),
  );
}

function toLower(unit: number): number {
  return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
}

function toUpper(unit: number): number {
  return unit >= 0x61 && unit <= 0x7a ? unit - 0x20 : unit;
}

/** Where a match of the segment that begins at `start` ends, or -1. */
export function matchAt({ units, upper }: Segment, text: string, { start, end }: Span): number {
  let position = start;
  for (let index = 0; index < units.length; index++) {
    if (position >= end) return -1;
    const wanted = units[index];
    if (wanted === anyPoint) {
      position += isPairAt(text, position) ? 2 : 1;
      continue;
    }
    const unit = text.charCodeAt(position++);
    if (unit !== wanted && unit !== upper[index]) return -1;
  }
  return position;
}

/** Where the first match of the segment at or after `start` ends, or -1. */
export function findFrom(segment: Segment, text: string, { start, end }: Span): number {
  if (segment.long !== undefined) return findLong(segment.long, text, { start, end });
  for (let position = start; position < end; position += isPairAt(text, position) ? 2 : 1) {
    const found = matchAt(segment, text, { start: position, end });
    if (found >= 0) return found;
  }
  return -1;
}

/** Whether a match of the segment ends with the text, and begins at `start` or later. */
export function endsAt(segment: Segment, text: string, { start, end }: Span): boolean {
  let begin = end;
  if (segment.hasAnyPoint) {
    for (let index = segment.units.length - 1; index >= 0; index--) {
      begin -= segment.units[index] === anyPoint && isPairAt(text, begin - 2) ? 2 : 1;
    }
  } else {
    begin -= segment.units.length;
  }
  return begin >= start && matchAt(segment, text, { start: begin, end }) === end;
}

function isPairAt(text: string, position: number): boolean {
  const unit = text.charCodeAt(position);
  return unit >= 0xd8_00 && unit < 0xdc_00 && (text.codePointAt(position) ?? 0) > 0xff_ff;
}
