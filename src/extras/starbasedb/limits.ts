import { utf8Length } from "../../core/store/text-order.ts";
import type { Value } from "../../core/store/value.ts";

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
