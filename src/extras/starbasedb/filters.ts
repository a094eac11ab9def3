import type { ComparisonOperator, Condition } from "../../core/store/filter.ts";
import { utf8Length } from "../../core/store/text-order.ts";
import type { Parameter } from "../../core/rest/parameters.ts";
import { type Comparison, constantPasses } from "./constants.ts";
import { longestPattern } from "./limits.ts";
import { readTerm, type TermScope } from "./term.ts";
import { sanitize } from "./words.ts";

/** One condition of a statement: on a column, or on a constant, which is then true or false for all rows. */
export type Filter = {
  /** How many values it binds. */
  readonly values: number;
  /** How many levels its expression has. */
  readonly depth: number;
  /** Whether it is a LIKE whose pattern SQLite refuses as soon as there is something to compare. */
  readonly isTooLong: boolean;
} & (
  | { readonly kind: "column"; readonly condition: Condition }
  | { readonly kind: "constant"; readonly passes: boolean }
);

const operators: ReadonlyMap<string, ComparisonOperator | "like" | "in"> = new Map(
  (["eq", "ne", "gt", "gte", "lt", "lte", "like", "in"] as const).map((name) => [name, name]),
);

/**
 * Reads `column` or `column.operator`; further dots do not count. Unknown operators mean equality, but for names
 * that every JavaScript object has: the service finds those in its list of operators, and its statement breaks.
 */
export function readFilter({ name, value }: Parameter, scope: TermScope): Filter | undefined {
  const [word = "", suffix = ""] = name.split(".");
  if (suffix in Object.prototype) return undefined;
  return makeFilter(sanitize(word), readComparison(suffix, value), scope);
}

function readComparison(suffix: string, value: string): Comparison {
  const operator = operators.get(suffix) ?? "eq";
  if (operator !== "in") return { operator, value };
  return { operator, values: value.split(",").map((item) => item.trim()) };
}

/** A condition on what a word stands for; undefined where SQLite refuses the word. */
export function makeFilter(
  word: string,
  comparison: Comparison,
  scope: TermScope,
): Filter | undefined {
  const term = readTerm(word, scope);
  if (term === undefined) return undefined;
  const values = comparison.operator === "in" ? comparison.values.length : 1;
  // SQLite turns a list of one into an equality with a sign before the value.
  const depth = comparison.operator === "in" && values === 1 ? 3 : 2;
  const isTooLong = comparison.operator === "like" && utf8Length(comparison.value) > longestPattern;
  if (term.kind === "column") {
    const condition = { column: term.column, ...comparison };
    return { kind: "column", condition, values, depth, isTooLong };
  }
  const { constant } = term;
  const passes = constantPasses(constant, comparison);
  return {
    kind: "constant",
    passes,
    values,
    depth,
    isTooLong: isTooLong && constant.kind !== "null",
  };
}
