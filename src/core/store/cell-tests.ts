import { compare } from "../schema/compare.ts";
import { columnKinds } from "./column-kinds.ts";
import { compileLike, likeText } from "./like.ts";
import { readOperand, sideOf } from "./operand.ts";
import {
  type ComparisonRules,
  type OrderValue,
  compareOrderValues,
  orderKey,
  orderValue,
} from "./order-value.ts";
import type { Value } from "./value.ts";

/** A test of a column's value. NULL never passes. */
export type CellTest = (value: Value) => boolean;

/**
 * Compares a value with a text. `passes` gets a negative number if the value is less, zero if it is equal, else a
 * positive one.
 */
export function compares(
  text: string,
  rules: ComparisonRules,
  passes: (order: number) => boolean,
): CellTest {
  const operand = readOperand(text, rules);
  const passesAny = (value: Value): boolean =>
    value !== null && passes(compareOrderValues(orderValue(value, rules), operand[sideOf(value)]));
  const { number } = operand;
  if (typeof number !== "number") return passesAny;
  // Most cells and operands are plain numbers.
  return (value) => (typeof value === "number" ? passes(compare(value, number)) : passesAny(value));
}

/** Whether a value equals a text. */
export function equals(text: string, rules: ComparisonRules): CellTest {
  const passes = compares(text, rules, (order) => order === 0);
  const operand = readOperand(text, rules);
  if (typeof operand.number === "number" || typeof operand.text !== "string") return passes;
  if (!keepsText(rules)) return passes;
  return (value) => (typeof value === "string" ? value === text : passes(value));
}

/** Whether a column compares texts exactly as they are. */
function keepsText({ kind, collation }: ComparisonRules): boolean {
  const { readsNumbers, isDocument } = columnKinds[kind];
  return collation === "BINARY" && !readsNumbers && !isDocument;
}

/** Whether a value equals one of the texts. */
export function isOneOf(texts: readonly string[], rules: ComparisonRules): CellTest {
  const operands = texts.map((text) => readOperand(text, rules));
  const keys = {
    number: keySet(operands.map(({ number }) => number)),
    boolean: keySet(operands.map(({ boolean }) => boolean)),
    text: keySet(operands.map(({ text }) => text)),
  };
  return (value) => value !== null && keys[sideOf(value)].has(orderKey(orderValue(value, rules)));
}

/** Equal values have equal keys, so a list of any length takes one lookup. */
function keySet(values: readonly OrderValue[]): ReadonlySet<string | undefined> {
  return new Set(values.map(orderKey));
}

/** Whether a value's text matches a pattern. */
export function isLike(pattern: string, rules: ComparisonRules): CellTest {
  const matches = compileLike(pattern);
  return (value) => value !== null && matches(likeText(value, rules));
}
