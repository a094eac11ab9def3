import { type ColumnKind, columnKind } from "./affinity.ts";
import { integerText, parseNumber } from "./number-text.ts";
import type { JsonValue } from "./row.ts";
import type { Column } from "./schema.ts";
import { compareText, foldAscii } from "./text-order.ts";

/** What of a column decides how its values compare. */
export interface ComparisonRules {
  readonly kind: ColumnKind;
  readonly nocase: boolean;
}

/** The rules by which a column's values compare. */
export function comparisonRules(column: Column): ComparisonRules {
  return { kind: columnKind(column.type), nocase: column.collate === "NOCASE" };
}

/** What a value comes down to when it is compared: SQLite's NULL, number or text. */
export type OrderValue = null | number | bigint | string;

/**
 * The value that stands for a stored one in comparisons: booleans count as 1 and 0, objects and whatever is
 * in a JSON column as their compact text, and number-like text in a NUMERIC column as the number.
 */
export function orderValue(value: JsonValue, rules: ComparisonRules): OrderValue {
  if (value === null || typeof value === "number") {
    return rules.kind === "JSON" && value !== null ? JSON.stringify(value) : value;
  }
  if (rules.kind === "JSON" || typeof value === "object") return JSON.stringify(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  return textValue(value, rules);
}

/** As {@link orderValue} does for a text. */
function textValue(text: string, rules: ComparisonRules): OrderValue {
  const number = rules.kind === "NUMERIC" ? parseNumber(text) : undefined;
  return number ?? collated(text, rules);
}

/** A text as its column's collation sees it. */
export function collated(text: string, rules: ComparisonRules): string {
  return rules.nocase ? foldAscii(text) : text;
}

/** Negative, zero or positive as NULL < numbers < text, numbers by value and text by UTF-8 bytes. */
export function compareOrderValues(left: OrderValue, right: OrderValue): number {
  if (left === null || right === null) return Number(right === null) - Number(left === null);
  if (typeof left === "string") return typeof right === "string" ? compareText(left, right) : 1;
  if (typeof right === "string") return -1;
  // A double and a bigint compare by their mathematical values.
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** A text that two values share exactly when they are equal; NULL, which equals nothing, has none. */
export function orderKey(value: OrderValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === "string") return `t${value}`;
  const whole = typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 63;
  return `n${whole ? integerText(value) : value}`;
}

/** As {@link orderKey}, for several values together. */
export function orderKeys(values: readonly OrderValue[]): string | undefined {
  const keys: string[] = [];
  for (const value of values) {
    const key = orderKey(value);
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return keys.length === 1 ? keys[0] : JSON.stringify(keys);
}
