import { BlobValue, integerValue, realValue, type Value } from "../../core/store/value.ts";

/** Digits that a double always holds. */
const safeDigits = 15;
/** Longer ones are beyond 64 bits, and slow to convert. */
const mostDigits = 19;
const mostHexDigits = 16;

/**
 * The value of a whole number as SQL writes it: INTEGER where 64 bits hold it, else REAL. Undefined for a hexadecimal
 * one that 64 bits do not hold, which SQLite refuses.
 */
export function integerLiteral(digits: string, isNegative: boolean): Value | undefined {
  if (/^0x/i.test(digits)) return hexLiteral(digits, isNegative);
  if (digits.length <= safeDigits) return signed(Number(digits), isNegative);
  const significant = digits.replace(/^0+/, "");
  if (significant.length <= mostDigits) {
    const integer = BigInt(isNegative ? `-${significant || "0"}` : significant || "0");
    if (BigInt.asIntN(64, integer) === integer) return integerValue(integer);
  }
  return realLiteral(digits, isNegative);
}

function hexLiteral(digits: string, isNegative: boolean): Value | undefined {
  const significant = digits.slice(2).replace(/^0+/, "");
  if (significant.length > mostHexDigits) return undefined;
  const integer = BigInt.asIntN(64, BigInt(`0x${significant || "0"}`));
  const value = isNegative ? -integer : integer;
  return BigInt.asIntN(64, value) === value ? integerValue(value) : undefined;
}

/** The value of a number with a point or an exponent; `9.0e+999` is infinite. */
export function realLiteral(digits: string, isNegative: boolean): Value {
  return realValue(signed(Number(digits), isNegative));
}

/** A text without its quotes. */
export function textLiteral(token: string): string {
  const text = token.slice(1, -1);
  return text.includes("'") ? text.replaceAll("''", "'") : text;
}

/** Bytes as SQL writes them: `X'0AFF'`. */
export function blobLiteral(token: string): BlobValue {
  const bytes = new Uint8Array((token.length - 3) / 2);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = Number.parseInt(token.slice(2 + at * 2, 4 + at * 2), 16);
  }
  return new BlobValue(bytes);
}

/** The value of `TRUE` and `FALSE`; undefined for any other word. */
export function truthLiteral(word: string): 0 | 1 | undefined {
  const folded = word.toLowerCase();
  if (folded === "true") return 1;
  return folded === "false" ? 0 : undefined;
}

/**
 * The value of `Inf`, as which Python's `iterdump` writes an infinite number where its SQLite is older than 3.41; undefined
 * for any other word. The shell writes `1e999`.
 */
export function infiniteLiteral(word: string, isNegative: boolean): Value | undefined {
  if (word !== "Inf") return undefined;
  return realValue(isNegative ? -Infinity : Infinity);
}

/** Without a negative zero: SQLite has none. */
function signed(number: number, isNegative: boolean): number {
  return isNegative && number !== 0 ? -number : number;
}
