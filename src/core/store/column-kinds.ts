import type { JsonValue } from "../schema/json.ts";
import { integerText, numericText, parseNumber, realText } from "./number-text.ts";
import { wellFormed } from "./text-order.ts";
import {
  deepestNesting,
  ExactInteger,
  integerValue,
  isDatabaseValue,
  isIntegerNumber,
  type Value,
  WholeReal,
} from "./value.ts";

/** SQLite's affinities. NONE is what SQLite calls BLOB: nothing is converted. */
export type Affinity = "INTEGER" | "REAL" | "NUMERIC" | "TEXT" | "NONE";

/** How a column's values are stored and compared: by an affinity, or by a type of our own. */
export type ColumnKind = Affinity | "BOOLEAN" | "JSON" | "ANY";

/** The TypeScript types of a column's values, by the declared type. */
export type ColumnValues = EachNamedKind<{
  /** A value beyond 2^53 is a bigint. Declare the column as BIGINT to get that type. */
  INTEGER: number;
  REAL: number;
  NUMERIC: number | string;
  TEXT: string;
  BOOLEAN: boolean | 0 | 1;
  JSON: JsonValue;
  ANY: JsonValue;
}>;

/** Makes the compiler ask for missing kinds. */
type EachNamedKind<Values extends Readonly<Record<Exclude<ColumnKind, "NONE">, unknown>>> = Values;

/** The shape of a kind's values, for code outside the store. */
export type ValueShape = "integer" | "double" | "decimal" | "text" | "boolean" | "json" | "any";

/** A value in one of SQLite's storage classes, NULL and blobs aside. */
export type SqlScalar = number | string | ExactInteger | WholeReal;

/** How a value counts in a comparison. */
export type Sense = "number" | "boolean" | "text";

/** The properties of a kind of columns. */
interface KindRule {
  readonly shape: ValueShape;
  /** Whether a column declared with the kind's name has this kind, whatever SQLite's rules say. */
  readonly isOwnType: boolean;
  /** Whether a value fits columns that accept only values of their own type. */
  readonly fits: (value: unknown) => boolean;
  /** The values that fit, for messages. */
  readonly expected: string;
  /** Whether whole numbers in the column may be INTEGER or REAL, so that each value keeps its own storage class. */
  readonly keepsClass: boolean;
  /** Converts a value by SQLite's affinity. */
  readonly convert: (value: SqlScalar) => Value;
  /**
   * Converts a template's result, which is mostly text. What cannot be converted stays as it is, and the table refuses
   * it with a message.
   */
  readonly fromTemplate: (result: JsonValue) => JsonValue;
  /** Whether all storage rules keep a value unchanged. False when in doubt. */
  readonly isStoredAsItIs: (value: unknown) => boolean;
  /** What a filter's text means when it is compared with a number, a boolean or any other value of the column. */
  readonly operand: Readonly<Record<Sense, Sense>>;
  /** Whether a text that looks like a number counts as the number. */
  readonly readsNumbers: boolean;
  /** Whether values compare as their JSON text. Such columns have no index: its keys would be whole documents. */
  readonly isDocument: boolean;
  /** A number's digits as LIKE sees them. */
  readonly digits: (value: number) => string;
  /** Whether a value makes a column without a declared type one of this kind. The first kind that says yes wins. */
  readonly isInferredFrom: (value: unknown) => boolean;
}

const alwaysText = { number: "text", boolean: "text", text: "text" } as const;

const wholeNumber = /^\s*[+-]?\d+\s*$/;
const anyNumber = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

const plain = {
  isOwnType: false,
  keepsClass: false,
  operand: alwaysText,
  readsNumbers: false,
  isDocument: false,
  digits: numericText,
  isInferredFrom: () => false,
} as const;

const numeric = {
  ...plain,
  convert: toNumber,
  fromTemplate: (result: JsonValue) => numberIn(result, anyNumber),
  isStoredAsItIs: (value: unknown) => Number.isFinite(value) && !Object.is(value, -0),
  operand: { number: "number", boolean: "number", text: "number" },
} as const;

const untyped = {
  ...plain,
  fits: () => true,
  expected: `a JSON value, at most ${deepestNesting} levels deep`,
  keepsClass: true,
  fromTemplate: (result: JsonValue) => result,
  isStoredAsItIs: isWellFormed,
} as const;

/** All kinds of columns. */
export const columnKinds: Readonly<Record<ColumnKind, KindRule>> = {
  INTEGER: {
    ...numeric,
    shape: "integer",
    fits: (value) => Number.isInteger(value) || value instanceof ExactInteger,
    expected: "a whole number",
    fromTemplate: (result) => numberIn(result, wholeNumber),
    isStoredAsItIs: (value) => Number.isSafeInteger(value) && !Object.is(value, -0),
    isInferredFrom: Number.isSafeInteger,
  },
  REAL: {
    ...numeric,
    shape: "double",
    fits: Number.isFinite,
    expected: "a number",
    convert: toReal,
    digits: realText,
    isInferredFrom: (value) => typeof value === "number",
  },
  NUMERIC: {
    ...numeric,
    shape: "decimal",
    fits: (value) =>
      typeof value === "string" || Number.isFinite(value) || value instanceof ExactInteger,
    expected: "a number or a string",
    readsNumbers: true,
  },
  TEXT: {
    ...plain,
    shape: "text",
    fits: (value) => typeof value === "string",
    expected: "a string",
    convert: toText,
    fromTemplate: textOf,
    isStoredAsItIs: isWellFormed,
    isInferredFrom: (value) => typeof value === "string",
  },
  BOOLEAN: {
    ...plain,
    shape: "boolean",
    isOwnType: true,
    fits: (value) => typeof value === "boolean" || value === 0 || value === 1,
    expected: "true, false, 0 or 1",
    convert: toNumber,
    fromTemplate: booleanIn,
    isStoredAsItIs: (value) => typeof value === "boolean",
    operand: { number: "boolean", boolean: "boolean", text: "boolean" },
    isInferredFrom: (value) => typeof value === "boolean",
  },
  JSON: {
    ...untyped,
    shape: "json",
    isOwnType: true,
    fits: (value) => !isDatabaseValue(value),
    keepsClass: false,
    convert: toNumber,
    fromTemplate: documentIn,
    isStoredAsItIs: () => false,
    isDocument: true,
    isInferredFrom: (value) => value !== null && value !== undefined,
  },
  ANY: {
    ...untyped,
    shape: "any",
    isOwnType: true,
    convert: toNumber,
    operand: { number: "number", boolean: "boolean", text: "text" },
  },
  NONE: {
    ...untyped,
    shape: "any",
    convert: (value) => value,
    operand: { number: "text", boolean: "boolean", text: "text" },
  },
};

function isColumnKind(name: string): name is ColumnKind {
  return Object.hasOwn(columnKinds, name);
}

const kinds: readonly ColumnKind[] = Object.keys(columnKinds).filter(isColumnKind);

/** The kinds that a column type can name. */
export const namedKinds: readonly ColumnKind[] = kinds.filter((kind) => kind !== "NONE");

/** What Rails, Laravel, MySQL and others call a boolean. */
const booleanTypes = /^(?:BOOL|TINYINT ?\( ?1 ?\))$/;

/** The kind of a declared type: by name, else by affinity. */
export function columnKind(type: string): ColumnKind {
  const name = type.trim().toUpperCase();
  if (booleanTypes.test(name)) return "BOOLEAN";
  return isColumnKind(name) && columnKinds[name].isOwnType ? name : affinity(type);
}

/** The affinity of a declared type, by SQLite's rules in SQLite's order. */
export function affinity(type: string): Affinity {
  const name = type.trim().toUpperCase();
  if (name.includes("INT")) return "INTEGER";
  if (name.includes("CHAR") || name.includes("CLOB") || name.includes("TEXT")) return "TEXT";
  if (name === "" || name.includes("BLOB")) return "NONE";
  if (name.includes("REAL") || name.includes("FLOA") || name.includes("DOUB")) return "REAL";
  return "NUMERIC";
}

/** The kind that a value suggests for its column; undefined for null, which fits any. */
export function inferredKind(value: unknown): ColumnKind | undefined {
  return kinds.find((kind) => columnKinds[kind].isInferredFrom(value));
}

/** A test for values that leave an inferred kind as it is. False when in doubt. */
export function inferenceOf(kind: ColumnKind | undefined): (value: unknown) => boolean {
  if (kind === "ANY") return () => true;
  return kind === undefined || kind === "JSON" ? () => false : columnKinds[kind].isInferredFrom;
}

/** Whether a text is valid UTF-8: SQLite has no others. */
function isWellFormed(value: unknown): boolean {
  return typeof value === "string" && wellFormed(value) === value;
}

function toText(value: SqlScalar): string {
  if (typeof value === "string") return value;
  if (typeof value === "number")
    return isIntegerNumber(value) ? integerText(value) : realText(value);
  return value instanceof ExactInteger ? value.value.toString() : realText(value.value);
}

/** A REAL column stores no integers; it takes the nearest REAL. */
function toReal(value: SqlScalar): number | string {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return Number(value.value);
  const number = parseNumber(value);
  return number === undefined ? value : Number(number) + 0;
}

/** An INTEGER or NUMERIC column stores every whole number as INTEGER. */
function toNumber(value: SqlScalar): Value {
  if (value instanceof WholeReal) return value.value + 0;
  if (typeof value !== "string") return value;
  const number = parseNumber(value);
  if (number === undefined) return value;
  return typeof number === "bigint" ? integerValue(number) : number + 0;
}

function numberIn(result: JsonValue, pattern: RegExp): JsonValue {
  if (typeof result !== "string" || !pattern.test(result)) return result;
  const number = Number(result);
  // More digits than a number holds: better refused or kept as text than changed.
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? result : number;
}

function booleanIn(result: JsonValue): JsonValue {
  if (typeof result !== "string") return result;
  const word = result.trim().toLowerCase();
  if (word === "true" || word === "1") return true;
  return word === "false" || word === "0" ? false : result;
}

function textOf(result: JsonValue): JsonValue {
  if (result === null || typeof result === "string") return result;
  return typeof result === "object" ? JSON.stringify(result) : String(result);
}

/** The text of an object or array is parsed. Any other text is already a JSON value. */
function documentIn(result: JsonValue): JsonValue {
  if (typeof result !== "string" || !/^\s*[[{]/.test(result)) return result;
  try {
    const parsed: JsonValue = JSON.parse(result);
    return parsed;
  } catch {
    return result;
  }
}
