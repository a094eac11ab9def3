import { compileCondition } from "../../core/store/filter.ts";
import { type Condition, type Operator, readCondition } from "../../core/store/operators.ts";
import { utf8Length } from "../../core/store/text-order.ts";
import type { Parameter } from "../../core/rest/parameters.ts";
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

/** The service's own list, which does not grow with that of the other profile. */
const knownOperators: readonly Operator[] = ["eq", "ne", "gt", "gte", "lt", "lte", "like", "in"];

/**
 * Reads `column` or `column.operator`; further dots do not count. Unknown operators mean equality, but for names
 * that every JavaScript object has: the service finds those in its list of operators, and its statement breaks.
 */
export function readFilter({ name, value }: Parameter, scope: TermScope): Filter | undefined {
  const [word = "", suffix = ""] = name.split(".");
  if (suffix in Object.prototype) return undefined;
  const operator = knownOperators.find((known) => known === suffix) ?? "eq";
  return makeFilter(readCondition(sanitize(word), operator, value), scope);
}

/** A condition on what a word stands for; undefined where SQLite refuses the word. */
export function makeFilter(written: Condition, scope: TermScope): Filter | undefined {
  const term = readTerm(written.column, scope);
  if (term === undefined) return undefined;
  const values = "values" in written ? written.values.length : 1;
  // SQLite turns a list of one into an equality with a sign before the value.
  const depth = "values" in written && values === 1 ? 3 : 2;
  const isTooLong = written.operator === "like" && utf8Length(written.value) > longestPattern;
  if (term.kind === "column") {
    const condition = { ...written, column: term.column };
    return { kind: "column", condition, values, depth, isTooLong };
  }
  const { constant } = term;
  // The condition's values are texts, and nothing converts either side.
  const passes = compileCondition(written, { kind: "NONE", collation: "BINARY" })(constant);
  return { kind: "constant", passes, values, depth, isTooLong: isTooLong && constant !== null };
}
