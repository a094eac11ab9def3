import { type Condition, equalOrderValues } from "./filter.ts";
import { orderKeys, type OrderValue } from "./order-value.ts";
import type { TableLayout } from "./table-layout.ts";
import type { UniqueIndex } from "./unique-index.ts";

/** More combinations than these are not looked up one by one. */
const mostLookups = 1_000;

/**
 * The ids of all rows that the conditions can hold for, in row id order, where a unique index tells;
 * undefined when every row must be looked at.
 */
export function candidateIds(
  where: readonly Condition[],
  uniques: readonly UniqueIndex[],
  layout: TableLayout,
): readonly number[] | undefined {
  for (const index of uniques) {
    const keys = lookupKeys(where, index, layout);
    if (keys === undefined) continue;
    const ids = [...keys].flatMap((key) => index.findByKey(key) ?? []);
    return ids.toSorted((left, right) => left - right);
  }
  return undefined;
}

/** The keys under which an index can have such rows, or undefined when the conditions do not fix them. */
function lookupKeys(
  where: readonly Condition[],
  index: UniqueIndex,
  layout: TableLayout,
): ReadonlySet<string> | undefined {
  let tuples: (readonly OrderValue[])[] = [[]];
  for (const column of index.columns) {
    const values = possibleValues(where, column, layout);
    if (values === undefined || values.length * tuples.length > mostLookups) return undefined;
    tuples = tuples.flatMap((tuple) => values.map((value) => [...tuple, value]));
  }
  return new Set(tuples.flatMap((tuple) => orderKeys(tuple) ?? []));
}

/** The values that one condition leaves to a column. */
function possibleValues(
  where: readonly Condition[],
  column: string,
  layout: TableLayout,
): readonly OrderValue[] | undefined {
  const rules = layout.rules(column);
  if (rules === undefined) return undefined;
  for (const condition of where) {
    if (condition.column !== column) continue;
    if (condition.operator === "eq") return equalOrderValues(condition.value, rules);
    if (condition.operator === "in") {
      return condition.values.flatMap((item) => equalOrderValues(item, rules));
    }
  }
  return undefined;
}
