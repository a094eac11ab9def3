import { compileLike } from "./like.ts";
import { numericText, parseNumber, realText } from "./number-text.ts";
import {
  collated,
  compareOrderValues,
  type ComparisonRules,
  orderKey,
  orderValue,
  type OrderValue,
} from "./order-value.ts";
import type { JsonValue } from "./row.ts";

/** Operators that compare a column with one value. */
export type ComparisonOperator = "eq" | "ne" | "gt" | "gte" | "lt" | "lte";

/** What a value of a column must be. Values are texts, as filters come; the column decides what they mean. */
export type Condition =
  | { readonly column: string; readonly operator: ComparisonOperator; readonly value: string }
  | { readonly column: string; readonly operator: "like"; readonly value: string }
  | { readonly column: string; readonly operator: "in"; readonly values: readonly string[] };

/** What a filter's text means beside a number, a boolean and a text or document in the column. */
interface Operand {
  readonly number: OrderValue;
  readonly boolean: OrderValue;
  readonly text: OrderValue;
}

function readOperand(text: string, rules: ComparisonRules): Operand {
  const asText = collated(text, rules);
  const asNumber = parseNumber(text) ?? asText;
  const asBoolean = readBoolean(text) ?? asNumber;
  switch (rules.kind) {
    case "INTEGER":
    case "REAL":
    case "NUMERIC":
      return { number: asNumber, boolean: asNumber, text: asNumber };
    case "BOOLEAN":
      return { number: asBoolean, boolean: asBoolean, text: asBoolean };
    case "ANY":
      return { number: asNumber, boolean: asBoolean, text: asText };
    case "NONE":
      return { number: asText, boolean: asBoolean, text: asText };
    case "TEXT":
    case "JSON":
      return { number: asText, boolean: asText, text: asText };
  }
}

function readBoolean(text: string): number | undefined {
  if (text === "true") return 1;
  return text === "false" ? 0 : undefined;
}

/** Which of an operand's meanings a stored value is compared with. */
function sideOf(value: JsonValue): keyof Operand {
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "boolean" : "text";
}

function keyOf(value: JsonValue, rules: ComparisonRules): string | undefined {
  return orderKey(orderValue(value, rules));
}

/** Equal values have equal keys, so a list of any length is looked up at once. */
function keySet(values: readonly OrderValue[]): ReadonlySet<string | undefined> {
  return new Set(values.map(orderKey));
}

/** The values that a text can be equal to in a column: one, or in an ANY column a number and a text. */
export function equalOrderValues(text: string, rules: ComparisonRules): readonly OrderValue[] {
  const { number, boolean, text: asText } = readOperand(text, rules);
  return [...new Set([number, boolean, asText])];
}

const holds: Readonly<Record<ComparisonOperator, (sign: number) => boolean>> = {
  eq: (sign) => sign === 0,
  ne: (sign) => sign !== 0,
  gt: (sign) => sign > 0,
  gte: (sign) => sign >= 0,
  lt: (sign) => sign < 0,
  lte: (sign) => sign <= 0,
};

/** Compiles a condition to a test of the column's value. NULL passes none. */
export function compileCondition(
  condition: Condition,
  rules: ComparisonRules,
): (value: JsonValue) => boolean {
  switch (condition.operator) {
    case "like": {
      const matches = compileLike(condition.value);
      return (value) => value !== null && matches(likeText(value, rules));
    }
    case "in": {
      const operands = condition.values.map((item) => readOperand(item, rules));
      const keys = {
        number: keySet(operands.map(({ number }) => number)),
        boolean: keySet(operands.map(({ boolean }) => boolean)),
        text: keySet(operands.map(({ text }) => text)),
      };
      return (value) => value !== null && keys[sideOf(value)].has(keyOf(value, rules));
    }
    default: {
      const passes = holds[condition.operator];
      const operand = readOperand(condition.value, rules);
      return (value) =>
        value !== null &&
        passes(compareOrderValues(orderValue(value, rules), operand[sideOf(value)]));
    }
  }
}

/** A value's text as LIKE sees it: numbers by SQLite's digits, everything else as it stands in JSON. */
function likeText(value: JsonValue, rules: ComparisonRules): string {
  if (rules.kind === "JSON") return JSON.stringify(value);
  if (typeof value === "string") return rules.kind === "NUMERIC" ? numericLikeText(value) : value;
  if (typeof value !== "number") return JSON.stringify(value);
  return rules.kind === "REAL" ? realText(value) : numericText(value);
}

/** In a NUMERIC column number-like text counts as the number. */
function numericLikeText(text: string): string {
  const number = parseNumber(text);
  if (number === undefined) return text;
  return typeof number === "bigint" ? number.toString() : numericText(number);
}
