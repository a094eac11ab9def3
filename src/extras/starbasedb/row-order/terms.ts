// How SQLite's planner reads the conditions.

import { affinity } from "../../../core/store/column-kinds.ts";
import { type Condition, type Operator, operators } from "../../../core/store/operators.ts";
import { parseNumber } from "../../../core/store/number-text.ts";
import type { Collation, Column, TableSchema } from "../../../core/store/schema.ts";
import { type ColumnName, resolveColumn } from "./trees.ts";

/** A condition, or a bound that follows from one. */
export interface PlannerTerm {
  readonly condition: Condition;
  readonly column: ColumnName;
  readonly collate: Collation;
  /** Its use for an index: one place, several, a lower bound, an upper bound, or none. */
  readonly use: "equal" | "in" | "lower" | "upper" | "none";
  /** How many values it names. */
  readonly values: number;
  /** Whether an equality fixes the column, too, so that this term holds for all of its rows or for none. */
  readonly fixed: boolean;
  /** For bounds that follow from a LIKE. */
  readonly derived?: DerivedBound;
}

interface DerivedBound {
  /** The condition, if the bounds imply all of it. */
  readonly replaces: PlannerTerm | undefined;
  /** The upper bound that goes with a lower one. */
  readonly upper: PlannerTerm | undefined;
}

/** The terms of a statement's conditions, followed by the bounds that LIKE implies. */
export function listTerms(
  schema: TableSchema,
  where: readonly Condition[],
): readonly PlannerTerm[] {
  const columns = new Map(schema.columns.map((column) => [column.name, column]));
  const bounds: (readonly PlannerTerm[])[] = [];
  const terms = where.map((condition): PlannerTerm => {
    const column = columns.get(condition.column);
    const values = condition.operator === "in" ? condition.values.length : 1;
    const term: PlannerTerm = {
      condition,
      column: resolveColumn(schema, condition.column),
      collate: column?.collate ?? "BINARY",
      use: useOf(condition.operator, values),
      values,
      fixed: isFixed(where, condition, column),
    };
    if (condition.operator === "like") bounds.push(likeBounds(term, condition.value, column));
    return term;
  });
  // SQLite reads the conditions from the last to the first.
  return [...terms, ...bounds.toReversed().flat()];
}

function useOf(operator: Operator, values: number): PlannerTerm["use"] {
  const { search } = operators[operator];
  return search === "equal" && values !== 1 ? "in" : search;
}

/** The last equality on a column with binary collation fixes its value in all other conditions. */
function isFixed(
  where: readonly Condition[],
  condition: Condition,
  column: Column | undefined,
): boolean {
  if (column?.collate !== "BINARY") return false;
  const fixing = lastEquality(where, column.name);
  return fixing !== undefined && fixing.by !== condition;
}

/** The last condition that sets a column to one value, and this value. A list of one value is an equality, too. */
export function lastEquality(
  where: readonly Condition[],
  column: string,
): { readonly by: Condition; readonly text: string } | undefined {
  const equalities = where.flatMap((by) => {
    if (by.column !== column || (by.operator !== "eq" && by.operator !== "in")) return [];
    const [text, ...others] = "values" in by ? by.values : [by.value];
    return text === undefined || others.length > 0 ? [] : [{ by, text }];
  });
  return equalities.at(-1);
}

/** A pattern's text before its first wildcard. */
export function plainPrefix(pattern: string): string {
  return /^[^%_\0]*/u.exec(pattern)?.[0] ?? "";
}

/** LIKE ignores case, so a pattern that begins with plain characters is a range of a NOCASE index. */
function likeBounds(
  like: PlannerTerm,
  pattern: string,
  column: Column | undefined,
): readonly PlannerTerm[] {
  const prefix = plainPrefix(pattern);
  const isText = affinity(column?.type ?? "INTEGER") === "TEXT";
  if (prefix === "" || (!isText && bordersOnNumber(prefix))) return [];
  const replaces = pattern === `${prefix}%` ? like : undefined;
  const bound = { ...like, collate: "NOCASE" } as const;
  const upper: PlannerTerm = { ...bound, derived: { replaces, upper: undefined } };
  return [{ ...bound, use: "lower", derived: { replaces, upper } }, upper];
}

/** Whether a prefix, or the text that ends its range, could be a number. */
function bordersOnNumber(prefix: string): boolean {
  const last = prefix.length - 1;
  const end = prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
  return prefix === "-" || parseNumber(prefix) !== undefined || parseNumber(end) !== undefined;
}
