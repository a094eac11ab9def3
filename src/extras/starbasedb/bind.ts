import { type Result, failed, ok } from "../../core/errors/result.ts";
import { utf8Length } from "../../core/store/text-order.ts";
import { type Value, realValue } from "../../core/store/value.ts";

/**
 * The value that the runtime binds for one of JavaScript: every number is a REAL, and anything else except null becomes
 * a text by `String`. Throws a TypeError for objects that cannot become one.
 */
function bindValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return realValue(value);
  // oxlint-disable-next-line typescript/no-base-to-string -- "[object Object]" is what the service stores.
  return String(value);
}

/** {@link bindValue} for several values: the texts and numbers, or JavaScript's message if one cannot be bound. */
export function bindValues(values: readonly unknown[]): Result<readonly Value[], string> {
  try {
    return ok(values.map(bindValue));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** The most values that a statement may bind. */
export const mostValues = 100;

/** The most levels of an expression. Each AND adds one to its left side. */
export const deepestExpression = 100;

/** The most bytes of a LIKE pattern. A longer one fails once it is compared with a value. */
export const longestPattern = 50;

/** The most bytes of a statement. */
export const longestStatement = 100_000;

/** The most bytes of a value, and of a row. */
export const longestValue = 2_200_000;

/** LIMIT and OFFSET are 64-bit integers. */
export const countBound: number = 2 ** 63;

/** Whether values have too many bytes for one row. */
export function isTooBig(values: readonly Value[]): boolean {
  const texts: readonly string[] = values.filter((value) => typeof value === "string");
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  // No code unit has more than three bytes.
  if (units * 3 <= longestValue) return false;
  return texts.reduce((sum, text) => sum + utf8Length(text), 0) > longestValue;
}
