import type { CellTest } from "./cell-tests.ts";
import { columnKinds } from "./column-kinds.ts";
import { type Condition, compileCondition, operators, textsOf } from "./operators.ts";
import type { ComparisonRules } from "./order-value.ts";
import type { TableLayout } from "./table-layout.ts";
import { type Row, type RowId, type Value, integerValue } from "./value.ts";

/** From this number on, conditions with the same operator become one test, if the operator can test many at once. */
const manyConditions = 4;

/** Compiles all conditions on one column to one test of its value. A JSON value becomes a text once for all of them. */
export function compileConditions(
  conditions: readonly Condition[],
  rules: ComparisonRules,
): CellTest {
  // A JSON document is compared as its text.
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
): readonly CellTest[] {
  if (conditions.length < manyConditions) {
    return conditions.map((condition) => compileCondition(condition, rules));
  }
  const names = new Set(conditions.map(({ operator }) => operator));
  return [...names].flatMap((name): readonly CellTest[] => {
    const { compile, compileMany } = operators[name];
    const texts = conditions.filter(({ operator }) => operator === name).map(textsOf);
    return compileMany === undefined || texts.length < manyConditions
      ? texts.map((own) => compile(own, rules))
      : [compileMany(texts.flat(), rules)];
  });
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
