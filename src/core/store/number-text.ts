import { isIntegerNumber } from "./value.ts";

/** SQLite's form of a complete decimal number, with outer ASCII white space. Reads each part once only. */
const decimalNumber =
  /^[ \t\n\v\f\r]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[ \t\n\v\f\r]*$/;
const wholeDigits = /^[+-]?\d+$/;

/** The largest exact INTEGER in SQLite; a text beyond it becomes a double. */
const largestInteger = 2n ** 63n - 1n;
const smallestInteger = -(2n ** 63n);
const integerDigits = 19;

/**
 * The number that a text means where SQLite takes it for one, else undefined. Whole numbers beyond a double are
 * bigints, so that they compare exactly.
 */
export function parseNumber(text: string): number | bigint | undefined {
  const digits = decimalNumber.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const value = Number(countedDigits(digits));
  if (Number.isSafeInteger(value) || !wholeDigits.test(digits)) return value;
  return exactInteger(digits) ?? value;
}

/** From this value on, SQLite has no room for another digit of a number. */
const fullSignificand = "1844674407370955160";

/**
 * Reads a number as SQLite does: digits beyond the first 19 or 20 count as 0, even where they would decide the
 * rounding.
 */
function countedDigits(digits: string): string {
  if (digits.length <= fullSignificand.length) return digits;
  const [significand = "", ...exponent] = digits.split(/(?=[eE])/);
  const significant = significand.replace(/[^0-9]/g, "").replace(/^0+/, "");
  const first = significant.slice(0, fullSignificand.length);
  const most = first >= fullSignificand ? first.length : first.length + 1;
  if (significant.length <= most) return digits;
  let end = significand.search(/[1-9]/);
  for (let count = 0; count < most; end++) if (significand[end] !== ".") count++;
  const others = significand.slice(end).replace(/\d+/g, ({ length }) => "0".repeat(length));
  return significand.slice(0, end) + others + exponent.join("");
}

/** Long runs of digits are judged by length, since BigInt takes more than linear time. */
function exactInteger(digits: string): bigint | undefined {
  const significant = digits.replace(/^[+-]?0*/, "");
  if (significant.length > integerDigits) return undefined;
  const magnitude = BigInt(significant);
  const value = digits.startsWith("-") ? -magnitude : magnitude;
  return value >= smallestInteger && value <= largestInteger ? value : undefined;
}

/** A number's digits as LIKE sees them in an integer or numeric column: `5`, `5.5`, `1.0e+21`. */
export function numericText(value: number): string {
  return isIntegerNumber(value) ? integerText(value) : realText(value);
}

/** All digits of a whole number; `String` rounds those beyond 2^53. */
export function integerText(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : BigInt(value).toString();
}

/** SQLite prints reals with `%!.15g`: 15 significant digits, and always a decimal point. */
const significantDigits = 15;

/** A number's digits as LIKE sees them in a real column: `5.0`, `1.0e-07`, `1.0e+15`. */
export function realText(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "Inf" : "-Inf";
  if (value === 0) return "0.0";
  const [mantissa = "", exponentText = "0"] = value.toExponential(significantDigits - 1).split("e");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= significantDigits) {
    const sign = exponent < 0 ? "-" : "+";
    return `${trimZeros(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  return trimZeros(value.toFixed(significantDigits - 1 - exponent));
}

/** Drops trailing zeros, except the one right after the point. */
function trimZeros(digits: string): string {
  if (!digits.includes(".")) return `${digits}.0`;
  const trimmed = digits.replace(/0+$/, "");
  return trimmed.endsWith(".") ? `${trimmed}0` : trimmed;
}
