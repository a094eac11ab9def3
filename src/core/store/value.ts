import type { JsonValue } from "../schema/json.ts";

/** A number that a plain `number` cannot represent. */
abstract class SpecialNumber<Held extends bigint | number> {
  readonly value: Held;

  constructor(value: Held) {
    this.value = value;
    Object.freeze(this);
  }

  /** The nearest double, which clients get. */
  toJSON(): number {
    return Number(this.value);
  }

  /** All digits, for templates that generate rows. */
  toString(): string {
    return String(this.value);
  }

  /** The value in messages. */
  shownAs(): string {
    return this.toString();
  }
}

/** A whole number that a `number` does not hold exactly. {@link integerValue} decides where one is needed. */
export class ExactInteger extends SpecialNumber<bigint> {}

/**
 * A whole number of storage class REAL, such as 5.0, in a column without a type. In other columns the type determines
 * the class, and a plain `number` is stored.
 */
export class WholeReal extends SpecialNumber<number> {}

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

  /** The value in messages. */
  shownAs(): string {
    return "a blob";
  }
}

/** Bytes that JSON shows as base64, in the profile `document`. */
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

/** A value of a table: any JSON, and what only a database has. */
export type Value = JsonValue | ExactInteger | WholeReal | BlobValue;

/** A row as clients and users see it: a value per column, by name, in column order. */
export type JsonRow = Readonly<Record<string, JsonValue>>;

/** A row as stored. Clients see its JSON text. */
export type Row = Readonly<Record<string, Value>>;

/** Columns and values as given, unchecked. Undefined counts as left out. */
export type GivenRow = Readonly<Record<string, unknown>>;

/**
 * Identifies a row within its table and gives the default order of rows: the integer primary key if there is one,
 * else a number of the store's own. A bigint only where no double is exact.
 */
export type RowId = number | bigint;

/** Negative, zero or positive for a left id before, equal to or after the right one. */
export function compareRowIds(left: RowId, right: RowId): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** Whether a value is one that JSON does not have. */
export function isDatabaseValue(value: unknown): value is ExactInteger | WholeReal | BlobValue {
  return value instanceof ExactInteger || value instanceof WholeReal || value instanceof BlobValue;
}

/** The bound of 64-bit integers, in both directions. */
const integerBound = 2 ** 63;

/**
 * Whether SQLite stores a number as INTEGER, unless the column makes it REAL. Not -2^63: it is an INTEGER only if it
 * was one before.
 */
export function isIntegerNumber(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < integerBound;
}

/** The stored form of a 64-bit integer: a `number` if that is exact and would not be read as REAL. */
export function integerValue(integer: bigint): number | ExactInteger {
  const number = Number(integer);
  return isIntegerNumber(number) && BigInt(number) === integer ? number : new ExactInteger(integer);
}

/** The stored form of a REAL that no column has converted yet. NaN is NULL, as in SQLite. */
export function realValue(real: number): number | WholeReal | null {
  if (Number.isNaN(real)) return null;
  // No client can tell negative zero from zero.
  return isIntegerNumber(real) ? new WholeReal(real + 0) : real;
}

/** Deeper values are refused: reading them back recursively would run out of stack. */
export const deepestNesting = 1_000;

/**
 * A frozen copy of a JSON value, so that nobody can change a stored row from outside. Undefined for values that are
 * not JSON (an infinite number, a date, a function) or nested too deeply.
 */
export function copyJson(value: unknown, depth = 0): JsonValue | undefined {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  // JSON has no negative zero, and some comparisons would distinguish it from 0.
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
  // Plain objects only: a Date or a Map would lose its meaning. Plain objects of another realm, such as a frame,
  // count too.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return undefined;
  const entries: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(object)) {
    const copy = copyJson(value, depth + 1);
    if (copy === undefined) return undefined;
    entries.push([key, copy]);
  }
  // Unlike assignment, this creates an ordinary property for a key such as `__proto__`.
  return Object.freeze(Object.fromEntries(entries));
}

/** {@link copyJson} for all values. */
export function copyValue(value: unknown): Value | undefined {
  if (value instanceof ExactInteger)
    return isStorable(value.value) ? integerValue(value.value) : undefined;
  if (value instanceof WholeReal) return realValue(value.value) ?? undefined;
  // Bytes cannot be frozen.
  return value instanceof BlobValue ? new BlobValue(new Uint8Array(value.bytes)) : copyJson(value);
}

function isStorable(integer: bigint): boolean {
  return BigInt.asIntN(64, integer) === integer;
}
