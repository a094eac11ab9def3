import { compare } from "../schema/compare.ts";
import { type ColumnKind, columnKinds } from "./column-kinds.ts";
import { integerText, parseNumber } from "./number-text.ts";
import type { Collation, Column } from "./schema.ts";
import { compareBytes, nocaseText, rtrimText, sortableText } from "./text-order.ts";
import { BlobValue, ExactInteger, type Value, WholeReal } from "./value.ts";

/** The properties of a column that decide how its values compare. */
export interface ComparisonRules {
  readonly kind: ColumnKind;
  readonly collation: Collation;
}

/** The comparison rules of a column, given the kinds of declared types. */
export function comparisonRules(
  column: Column,
  kindOf: (type: string) => ColumnKind,
): ComparisonRules {
  return { kind: kindOf(column.type), collation: column.collate };
}

/** What comparisons see of a value: SQLite's NULL, number, text or blob. */
export type OrderValue = null | number | bigint | string | Uint8Array;

/**
 * The comparable form of a stored value: booleans count as 1 and 0, objects and all JSON values as their compact
 * text, and number-like text in a NUMERIC column as the number.
 */
export function orderValue(value: Value, rules: ComparisonRules): OrderValue {
  if (value === null) return null;
  if (columnKinds[rules.kind].isDocument) return collatedText(JSON.stringify(value), rules);
  if (typeof value === "number") return value;
  if (typeof value === "string") return textValue(value, rules);
  if (typeof value === "boolean") return value ? 1 : 0;
  return objectValue(value, rules);
}

function objectValue(
  value: Exclude<Value, null | string | number | boolean>,
  rules: ComparisonRules,
): OrderValue {
  if (value instanceof ExactInteger || value instanceof WholeReal) return value.value;
  return value instanceof BlobValue ? value.bytes : collatedText(JSON.stringify(value), rules);
}

/** {@link orderValue} for a text. */
function textValue(text: string, rules: ComparisonRules): OrderValue {
  const number = columnKinds[rules.kind].readsNumbers ? parseNumber(text) : undefined;
  return number ?? collatedText(text, rules);
}

/** A text as its column's collation sees it, in a form that sorts by `<`. */
export function collatedText(text: string, { collation }: ComparisonRules): string {
  if (collation === "BINARY") return sortableText(text);
  return sortableText(collation === "NOCASE" ? nocaseText(text) : rtrimText(text));
}

/** Negative, zero or positive for NULL < numbers < text < blobs; text and blobs compare by bytes. */
export function compareOrderValues(left: OrderValue, right: OrderValue): number {
  if (typeof left === "number" && typeof right === "number") return compare(left, right);
  if (typeof left === "string") {
    return typeof right === "string" ? compare(left, right) : -compareToText(right);
  }
  if (typeof right === "string") return compareToText(left);
  if (left === null) return right === null ? 0 : -1;
  if (right === null) return 1;
  if (typeof left === "object" || typeof right === "object") return compareBlobs(left, right);
  return compare(left, right);
}

/** How a value other than text compares with any text. */
function compareToText(value: Exclude<OrderValue, string>): number {
  return typeof value === "object" && value !== null ? 1 : -1;
}

/** At least one of them is a blob, and neither is NULL or a text. */
function compareBlobs(
  left: number | bigint | Uint8Array,
  right: number | bigint | Uint8Array,
): number {
  if (typeof left !== "object") return -1;
  return typeof right === "object" ? compareBytes(left, right) : 1;
}

/** A text that equal values share and others do not. NULL, which equals nothing, has none. */
export function orderKey(value: OrderValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === "string") return `t${value}`;
  if (typeof value === "object") return `b${latin1(value)}`;
  // A double and an equal bigint have the same digits.
  const isWhole =
    typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= 2 ** 63;
  return `n${isWhole ? integerText(value) : value}`;
}

/** One letter per byte. */
function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** {@link orderKey} for several values together. */
export function orderKeys(values: readonly OrderValue[]): string | undefined {
  const keys: string[] = [];
  for (const value of values) {
    const key = orderKey(value);
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return keys.length === 1 ? keys[0] : JSON.stringify(keys);
}
