import { utf8Length } from "../../core/store/text-order.ts";
import { type Value, realValue } from "../../core/store/value.ts";

/**
 * The value that the runtime binds for one of JavaScript: every number is a REAL, and whatever is no number and
 * not null becomes a text as `String` makes one. Throws a TypeError for objects that cannot become one.
 */
function bindValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return realValue(value);
  // oxlint-disable-next-line typescript/no-base-to-string -- "[object Object]" is what the service stores.
  return encodable(String(value));
}

const loneSurrogate = /\p{Surrogate}/u;
const loneSurrogates = /\p{Surrogate}/gu;

/** A surrogate without its pair is stored as three bytes that are no UTF-8, and read as three characters. */
function encodable(text: string): string {
  return loneSurrogate.test(text) ? text.replace(loneSurrogates, "\ufffd\ufffd\ufffd") : text;
}

/** The texts and numbers that a body's values are bound as, or what JavaScript says where one cannot be. */
type BoundValues =
  | { readonly ok: true; readonly values: readonly Value[] }
  | { readonly ok: false; readonly message: string };

/** As {@link bindValue}, for all of them. */
export function bindValues(values: readonly unknown[]): BoundValues {
  try {
    return { ok: true, values: values.map(bindValue) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Values that one statement may bind. */
export const mostValues = 100;

/** Levels of an expression. Each AND adds one to what is left of it. */
export const deepestExpression = 100;

/** Bytes of a LIKE pattern. A longer one fails once it is compared with something. */
export const longestPattern = 50;

/** Bytes of a statement. */
export const longestStatement = 100_000;

/** Bytes of a value, and of a row. */
export const longestValue = 2_200_000;

/** LIMIT and OFFSET are 64-bit integers. */
export const countBound: number = 2 ** 63;

/** Whether values are too many bytes for one row. */
export function isTooBig(values: readonly Value[]): boolean {
  const texts: readonly string[] = values.filter((value) => typeof value === "string");
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  // No code unit has more than three bytes.
  if (units * 3 <= longestValue) return false;
  return texts.reduce((sum, text) => sum + utf8Length(text), 0) > longestValue;
}
