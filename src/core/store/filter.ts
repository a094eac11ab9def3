import { compare } from "../schema/compare.ts";
import { type Sense, columnKinds } from "./column-kinds.ts";
import { compileLike, likeText } from "./like.ts";
import { parseNumber } from "./number-text.ts";
import {
  type ComparisonOperator,
  type Condition,
  type ListOperator,
  type Operator,
  type TextOperator,
  operators,
} from "./operators.ts";
import {
  type ComparisonRules,
  type OrderValue,
  collated,
  compareOrderValues,
  orderKey,
  orderValue,
} from "./order-value.ts";
import type { TableLayout } from "./table-layout.ts";
import {
  ExactInteger,
  type Row,
  type RowId,
  type Value,
  WholeReal,
  integerValue,
} from "./value.ts";

/** What a filter's text means beside a number, a boolean and a text or document in the column. */
type Operand = Readonly<Record<Sense, OrderValue>>;

function readOperand(text: string, rules: ComparisonRules): Operand {
  const asText = collated(text, rules);
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
function sideOf(value: Value): Sense {
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return value instanceof ExactInteger || value instanceof WholeReal ? "number" : "text";
}

/** Equal values have equal keys, so a list of any length takes one lookup. */
function keySet(values: readonly OrderValue[]): ReadonlySet<string | undefined> {
  return new Set(values.map(orderKey));
}

/** The values that equal a text in a column: one, or in an ANY column a number and a text. */
export function equalOrderValues(text: string, rules: ComparisonRules): readonly OrderValue[] {
  const { number, boolean, text: asText } = readOperand(text, rules);
  return [...new Set([number, boolean, asText])];
}

/**
 * The single value that a condition compares a column's values with, if the text means the same beside all of them.
 * Then matching rows are adjacent in the column's order.
 */
export function soleOperand(text: string, rules: ComparisonRules): OrderValue | undefined {
  const { number, boolean, text: asText } = readOperand(text, rules);
  return number === asText && boolean === asText ? asText : undefined;
}

const textTests: Readonly<Record<TextOperator, (value: string) => (text: string) => boolean>> = {
  like: compileLike,
};

const listTests: Readonly<Record<ListOperator, (isListed: boolean) => boolean>> = {
  in: (isListed) => isListed,
};

function isTextOperator(operator: Operator): operator is TextOperator {
  return Object.hasOwn(textTests, operator);
}

/** What a condition asks of a value, whatever its column. */
type Test = WithoutColumn<Condition>;

type WithoutColumn<Each> = Each extends Condition ? Omit<Each, "column"> : never;

/** Compiles a condition to a test of the column's value. NULL never passes. */
export function compileCondition(
  condition: Test,
  rules: ComparisonRules,
): (value: Value) => boolean {
  if ("values" in condition) return compileList(condition, rules);
  const { operator, value: text } = condition;
  if (!isTextOperator(operator)) return compileComparison({ operator, value: text }, rules);
  const matches = textTests[operator](text);
  return (value) => value !== null && matches(likeText(value, rules));
}

function compileList(
  { operator, values }: Extract<Test, { readonly values: unknown }>,
  rules: ComparisonRules,
): (value: Value) => boolean {
  const operands = values.map((item) => readOperand(item, rules));
  const keys = {
    number: keySet(operands.map(({ number }) => number)),
    boolean: keySet(operands.map(({ boolean }) => boolean)),
    text: keySet(operands.map(({ text }) => text)),
  };
  const passes = listTests[operator];
  return (value) =>
    value !== null && passes(keys[sideOf(value)].has(orderKey(orderValue(value, rules))));
}

/** From this number on, values are looked up as one list. */
const manyValues = 4;

/**
 * Compiles all conditions on one column to one test of its value: many `ne` become one set lookup, and a JSON value
 * becomes a text once for all of them.
 */
export function compileConditions(
  conditions: readonly Condition[],
  rules: ComparisonRules,
): (value: Value) => boolean {
  // Conditions see a document as its text.
  const { isDocument } = columnKinds[rules.kind];
  const tests = compileTests(conditions, isDocument ? { ...rules, kind: "TEXT" } : rules);
  const [first, ...others] = tests;
  const passes = (value: Value): boolean =>
    first === undefined || (first(value) && others.every((test) => test(value)));
  if (isDocument) return (value) => value !== null && passes(JSON.stringify(value));
  return first !== undefined && others.length === 0 ? first : passes;
}

function compileTests(
  conditions: readonly Condition[],
  rules: ComparisonRules,
): readonly ((value: Value) => boolean)[] {
  const excluded = conditions.flatMap((one) => (one.operator === "ne" ? [one.value] : []));
  if (excluded.length < manyValues) return conditions.map((one) => compileCondition(one, rules));
  const others = conditions.filter(({ operator }) => operator !== "ne");
  const isExcluded = compileCondition({ operator: "in", values: excluded }, rules);
  return [
    (value) => value !== null && !isExcluded(value),
    ...others.map((one) => compileCondition(one, rules)),
  ];
}

function compileComparison(
  condition: { readonly operator: ComparisonOperator; readonly value: string },
  rules: ComparisonRules,
): (value: Value) => boolean {
  const { operator, value: text } = condition;
  const operand = readOperand(text, rules);
  const passes = operators[operator].holds;
  const passesAny = (value: Value): boolean =>
    value !== null && passes(compareOrderValues(orderValue(value, rules), operand[sideOf(value)]));
  const { number } = operand;
  if (typeof number === "number") {
    // Most cells and operands are plain numbers.
    return (value) =>
      typeof value === "number" ? passes(compare(value, number)) : passesAny(value);
  }
  if (operator !== "eq" || typeof operand.text !== "string" || !keepsText(rules)) return passesAny;
  return (value) => (typeof value === "string" ? value === text : passesAny(value));
}

/** Whether a text means itself in comparisons with its column. */
function keepsText({ kind, collation }: ComparisonRules): boolean {
  const { readsNumbers, isDocument } = columnKinds[kind];
  return collation === "BINARY" && !readsNumbers && !isDocument;
}

/** Whether a row meets the conditions. */
export type RowTest = (row: Row, id: RowId) => boolean;

/** The comparison rules of a query's column. */
export function rulesOf(layout: TableLayout, column: string): ComparisonRules {
  const rules = layout.rules(column);
  if (rules !== undefined) return rules;
  throw new RangeError(`Cannot query "${layout.schema.name}": there is no column "${column}".`);
}

/** A row's value in a column, which may be its row id. */
export function cellOf(layout: TableLayout, column: string): (row: Row, id: RowId) => Value {
  if (column === layout.hiddenRowId) {
    return (_, id) => (typeof id === "bigint" ? integerValue(id) : id);
  }
  return (row) => row[column] ?? null;
}

/** Compiles conditions to one test of a row; undefined when there are none. */
export function compileTest(where: readonly Condition[], layout: TableLayout): RowTest | undefined {
  const [first, ...others] = byColumn(where).map((conditions): RowTest => {
    const { column } = conditions[0];
    const passes = compileConditions(conditions, rulesOf(layout, column));
    const cell = cellOf(layout, column);
    return (row, id) => passes(cell(row, id));
  });
  if (first === undefined || others.length === 0) return first;
  return (row, id) => first(row, id) && others.every((test) => test(row, id));
}

/** Conditions on one column. */
type Conditions = readonly [Condition, ...Condition[]];

/** Conditions by column, in order of first appearance. */
export function byColumn(where: readonly Condition[]): readonly Conditions[] {
  const groups: [Condition, ...Condition[]][] = [];
  for (const condition of where) {
    const group = groups.find(([{ column }]) => column === condition.column);
    if (group === undefined) groups.push([condition]);
    else group.push(condition);
  }
  return groups;
}
