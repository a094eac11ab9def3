import type { JsonValue } from "../schema/json.ts";

/** A whole number that no `number` stands for; {@link integerValue} tells which those are. */
export class ExactInteger {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
    Object.freeze(this);
  }

  /** The nearest double: what a client sees of it. */
  toJSON(): number {
    return Number(this.value);
  }

  /** All digits: what a template makes of it that generates rows. */
  toString(): string {
    return this.value.toString();
  }

  /** What messages call it. */
  shownAs(): string {
    return this.toString();
  }
}

/**
 * A whole number of storage class REAL, such as 5.0, in a column without a type. Elsewhere the column tells
 * which class a number has, and it is stored as a `number`.
 */
export class WholeReal {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
    Object.freeze(this);
  }

  toJSON(): number {
    return this.value;
  }

  toString(): string {
    return String(this.value);
  }

  /** What messages call it. */
  shownAs(): string {
    return this.toString();
  }
}

/** Bytes. On the wire they are an empty object, as the service sends them. */
export class BlobValue {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    Object.freeze(this);
  }

  toJSON(): Record<string, never> {
    return {};
  }

  toString(): string {
    return "{}";
  }

  /** What messages call it. */
  shownAs(): string {
    return "a blob";
  }
}

/** What a table can hold: anything that JSON can say, and what only a database can. */
export type Value = JsonValue | ExactInteger | WholeReal | BlobValue;

/** 64-bit integers lie within plus and minus this. */
const integerBound = 2 ** 63;

/**
 * Whether SQLite keeps a number as an INTEGER, where the column does not make a REAL of it. It does not so
 * with -2^63: that is an INTEGER only where it was one before.
 */
export function isIntegerNumber(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < integerBound;
}

/** The value that stands for a 64-bit integer: a `number` where that is exact, and is not taken for a REAL. */
export function integerValue(integer: bigint): number | ExactInteger {
  const number = Number(integer);
  return isIntegerNumber(number) && BigInt(number) === integer ? number : new ExactInteger(integer);
}

/** The value that stands for a REAL which no column has converted yet. NaN is NULL, as in SQLite. */
export function realValue(real: number): number | WholeReal | null {
  if (Number.isNaN(real)) return null;
  // Nothing that a client can see tells negative zero from zero.
  return isIntegerNumber(real) ? new WholeReal(real + 0) : real;
}
