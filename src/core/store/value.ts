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

  toJSON(): Record<string, never> | string {
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

/** Bytes that JSON shows as base64: those of the profile `document`. */
export class Base64Blob extends BlobValue {
  override toJSON(): string {
    let text = "";
    for (const byte of this.bytes) text += String.fromCharCode(byte);
    return btoa(text);
  }

  override toString(): string {
    return this.toJSON();
  }
}

/** What a table can hold: anything that JSON can say, and what only a database can. */
export type Value = JsonValue | ExactInteger | WholeReal | BlobValue;

/** A row as clients and users see it: a value for each column, by name, in the table's order of columns. */
export type JsonRow = Readonly<Record<string, JsonValue>>;

/** A row as it is stored. Its JSON text is what clients see. */
export type Row = Readonly<Record<string, Value>>;

/** Columns and values as somebody gives them, unchecked. A value of undefined counts as left out. */
export type GivenRow = Readonly<Record<string, unknown>>;

/**
 * What identifies a row within its table and gives the order of rows that nothing sorts: the integer primary
 * key where there is one, else a number of the store's own. A bigint only where no double is exact.
 */
export type RowId = number | bigint;

/** Negative, zero or positive as the left id comes before, with or after the right one. */
export function compareRowIds(left: RowId, right: RowId): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** Whether a value is one of those that JSON does not have. */
export function isDatabaseValue(value: unknown): value is ExactInteger | WholeReal | BlobValue {
  return value instanceof ExactInteger || value instanceof WholeReal || value instanceof BlobValue;
}

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

/** Deeper values are refused: reading them back recursively would run out of stack. */
export const deepestNesting = 1_000;

/**
 * A frozen copy of a JSON value, so that nobody can change a stored row from outside. Undefined for what is
 * not JSON (an infinite number, a date, a function), or is nested too deeply.
 */
export function copyJson(value: unknown, depth = 0): JsonValue | undefined {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  // JSON has no negative zero of its own, and -0 would be another value to some comparisons.
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value !== "object" || depth >= deepestNesting) return undefined;
  return Array.isArray(value) ? copyArray(value, depth) : copyObject(value, depth);
}

function copyArray(values: readonly unknown[], depth: number): JsonValue | undefined {
  const copies: JsonValue[] = [];
  for (const value of values) {
    const copy = copyJson(value, depth + 1);
    if (copy === undefined) return undefined;
    copies.push(copy);
  }
  return Object.freeze(copies);
}

function copyObject(object: object, depth: number): JsonValue | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  // Only plain objects: a Date or a Map would lose what it means. Those of another realm are plain too.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return undefined;
  const entries: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(object)) {
    const copy = copyJson(value, depth + 1);
    if (copy === undefined) return undefined;
    entries.push([key, copy]);
  }
  // Unlike assignment, this makes an ordinary property of a key such as `__proto__`.
  return Object.freeze(Object.fromEntries(entries));
}

/** As {@link copyJson}, for all values. */
export function copyValue(value: unknown): Value | undefined {
  if (value instanceof ExactInteger)
    return isStorable(value.value) ? integerValue(value.value) : undefined;
  if (value instanceof WholeReal) return realValue(value.value) ?? undefined;
  // Bytes are the one part of a value that cannot be frozen.
  return value instanceof BlobValue ? new BlobValue(new Uint8Array(value.bytes)) : copyJson(value);
}

function isStorable(integer: bigint): boolean {
  return BigInt.asIntN(64, integer) === integer;
}
