import { compileConditions } from "./filter.ts";
import type { Condition } from "./operators.ts";
import { type Row, type RowId, type Value, integerValue } from "./value.ts";
import type { ComparisonRules } from "./order-value.ts";
import { rowIdName, type TableLayout } from "./table-layout.ts";

/** Whether a row meets the conditions. */
export type RowTest = (row: Row, id: RowId) => boolean;

/** The rules of a column that a query names. */
export function rulesOf(layout: TableLayout, column: string): ComparisonRules {
  const rules = layout.rules(column);
  if (rules !== undefined) return rules;
  throw new RangeError(`Cannot query "${layout.schema.name}": there is no column "${column}".`);
}

/** What a row has in a column, which may be its row id. */
export function cellOf(layout: TableLayout, column: string): (row: Row, id: RowId) => Value {
  if (column === rowIdName && layout.isRowId(column) && layout.rowIdColumn === undefined) {
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
export type Conditions = readonly [Condition, ...Condition[]];

/** Conditions by their columns, in the order in which those come first. */
export function byColumn(where: readonly Condition[]): readonly Conditions[] {
  const groups = new Map<string, [Condition, ...Condition[]]>();
  for (const condition of where) {
    const group = groups.get(condition.column);
    if (group === undefined) groups.set(condition.column, [condition]);
    else group.push(condition);
  }
  return [...groups.values()];
}
