import { type Sense, columnKinds } from "./column-kinds.ts";
import { parseNumber } from "./number-text.ts";
import { type ComparisonRules, type OrderValue, collatedText } from "./order-value.ts";
import { ExactInteger, type Value, WholeReal } from "./value.ts";

/** What a filter's text means when it is compared with a number, a boolean, or a text or document. */
export type Operand = Readonly<Record<Sense, OrderValue>>;

export function readOperand(text: string, rules: ComparisonRules): Operand {
  const asText = collatedText(text, rules);
  const asNumber = parseNumber(text) ?? asText;
  const meanings = { number: asNumber, boolean: readBoolean(text) ?? asNumber, text: asText };
  const { operand } = columnKinds[rules.kind];
  return {
    number: meanings[operand.number],
    boolean: meanings[operand.boolean],
    text: meanings[operand.text],
  };
}

function readBoolean(text: string): number | undefined {
  if (text === "true") return 1;
  return text === "false" ? 0 : undefined;
}

/** Picks the meaning of an operand that a stored value is compared with. */
export function sideOf(value: Value): Sense {
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return value instanceof ExactInteger || value instanceof WholeReal ? "number" : "text";
}

/** The values that equal a text in a column: one, or in an ANY column a number and a text. */
export function equalOrderValues(text: string, rules: ComparisonRules): readonly OrderValue[] {
  const { number, boolean, text: asText } = readOperand(text, rules);
  return [...new Set([number, boolean, asText])];
}

/**
 * The one value that a filter's text stands for, whatever it is compared with; undefined if it stands for several. With
 * one value, matching rows are adjacent in the column's order.
 */
export function soleOperand(text: string, rules: ComparisonRules): OrderValue | undefined {
  const { number, boolean, text: asText } = readOperand(text, rules);
  return number === asText && boolean === asText ? asText : undefined;
}
