import { compare } from "../../schema/compare.ts";
import { type Affinity, type ColumnKind, columnKinds } from "../column-kinds.ts";
import { parseNumber, realText } from "../number-text.ts";
import { collatedText } from "../order-value.ts";
import type { Collation } from "../schema.ts";
import { compareBytes } from "../text-order.ts";
import { BlobValue, ExactInteger, type Value, WholeReal, isIntegerNumber } from "../value.ts";

/** A value of SQL while an expression is evaluated: an INTEGER is a bigint, a REAL a number. */
export type Scalar = null | bigint | number | string | Uint8Array;

/** The SQL value of a stored value. */
export function scalarOf(value: Value, kind: ColumnKind): Scalar {
  const { isDocument, readsNumbers } = columnKinds[kind];
  if (value === null) return null;
  if (typeof value === "number") return numberScalar(value, kind);
  if (isDocument) return JSON.stringify(value);
  if (typeof value === "string") return readsNumbers ? asNumber(value) : value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (value instanceof ExactInteger || value instanceof WholeReal) return value.value;
  return value instanceof BlobValue ? value.bytes : JSON.stringify(value);
}

function numberScalar(value: number, kind: ColumnKind): Scalar {
  return kind !== "REAL" && isIntegerNumber(value) ? BigInt(value) : value;
}

/** A text that looks like a number as that number; any other value unchanged. */
export function asNumber(value: Scalar): Scalar {
  const number = typeof value === "string" ? parseNumber(value) : undefined;
  if (number === undefined) return value;
  if (typeof number === "bigint") return number;
  return isIntegerNumber(number) ? BigInt(number) : number;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export function textOf(value: Exclude<Scalar, null>): string {
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return String(value);
  return typeof value === "number" ? realText(value) : utf8.decode(value);
}

/** The number that a value begins with, as arithmetic sees it. */
export function numberOf(value: Exclude<Scalar, null>): bigint | number {
  if (typeof value === "bigint" || typeof value === "number") return value;
  const [, whole = "", rest = ""] = leadingNumber.exec(textOf(value)) ?? [];
  if (rest !== "") return Number(whole + rest);
  const integer = whole === "" ? 0n : BigInt(whole.replace(/^\+/, ""));
  return isInteger(integer) ? integer : Number(integer);
}

const leadingNumber = /^[ \t\n\v\f\r]*([+-]?\d+(?!\d)|[+-]?(?=\.\d))((?:\.\d*)?(?:e[+-]?\d+)?)/i;

/** A value as an integer: a number without its fraction, or the digits at the beginning of a text. */
export function integerOf(value: Exclude<Scalar, null>): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value !== "number") {
    const [, digits = "0"] = /^[ \t\n\v\f\r]*\+?(-?\d+)/.exec(textOf(value)) ?? [];
    const integer = BigInt(digits);
    return isInteger(integer) ? integer : integerOf(Number(integer));
  }
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return largest;
  return value <= -(2 ** 63) ? -largest - 1n : BigInt(Math.trunc(value));
}

const largest = 2n ** 63n - 1n;

/** Whether a whole number has at most 64 bits. */
export function isInteger(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Whether a condition holds; null if that is unknown. */
export function truthOf(value: Scalar): boolean | null {
  if (value === null) return null;
  const number = numberOf(value);
  return number !== 0 && number !== 0n;
}

export function truthScalar(truth: boolean | null): Scalar {
  if (truth === null) return null;
  return truth ? 1n : 0n;
}

/** Compares two values: negative, zero or positive. Numbers come before texts, texts before blobs. */
export function compareScalars(
  left: Exclude<Scalar, null>,
  right: Exclude<Scalar, null>,
  collation: Collation,
): number {
  const rank = rankOf(left);
  const difference = rank - rankOf(right);
  if (difference !== 0) return difference;
  if (left instanceof Uint8Array || right instanceof Uint8Array) {
    return left instanceof Uint8Array && right instanceof Uint8Array
      ? compareBytes(left, right)
      : 0;
  }
  if (typeof left === "string" || typeof right === "string") {
    const rules = { kind: "TEXT", collation } as const;
    return compare(collatedText(String(left), rules), collatedText(String(right), rules));
  }
  return compare<bigint | number>(left, right);
}

function rankOf(value: Exclude<Scalar, null>): number {
  if (typeof value === "string") return 1;
  return value instanceof Uint8Array ? 2 : 0;
}

/** The result of CAST. */
export function castTo(value: Scalar, to: Affinity): Scalar {
  if (value === null) return null;
  switch (to) {
    case "INTEGER":
      return integerOf(value);
    case "REAL":
      return Number(numberOf(value));
    case "TEXT":
      return textOf(value);
    case "NUMERIC":
      return castToNumber(value);
    default:
      return value instanceof Uint8Array ? value : new TextEncoder().encode(textOf(value));
  }
}

/** Numbers stay as they are; a text becomes an INTEGER if that loses nothing. */
function castToNumber(value: Exclude<Scalar, null>): Scalar {
  if (typeof value === "bigint" || typeof value === "number") return value;
  const number = numberOf(value);
  return typeof number === "number" && Number.isSafeInteger(number) ? BigInt(number) : number;
}
