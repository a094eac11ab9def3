import { blobText } from "./blob-text.ts";
import { numericText, parseNumber, realText } from "./number-text.ts";
import type { ComparisonRules } from "./order-value.ts";
import { BlobValue, ExactInteger, type Value, WholeReal } from "./value.ts";

/** A value's text as LIKE sees it: numbers by SQLite's digits, blobs as text, all else as it stands in JSON. */
export function likeText(value: Value, { kind }: ComparisonRules): string {
  if (kind === "JSON") return JSON.stringify(value);
  if (typeof value === "string") return kind === "NUMERIC" ? numericLikeText(value) : value;
  if (typeof value === "number") return kind === "REAL" ? realText(value) : numericText(value);
  if (value instanceof ExactInteger) return value.value.toString();
  if (value instanceof WholeReal) return realText(value.value);
  return value instanceof BlobValue ? blobText(value.bytes) : JSON.stringify(value);
}

/** In a NUMERIC column number-like text counts as the number. */
function numericLikeText(text: string): string {
  const number = parseNumber(text);
  if (number === undefined) return text;
  return typeof number === "bigint" ? number.toString() : numericText(number);
}
