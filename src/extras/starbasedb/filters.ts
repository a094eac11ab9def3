import { type Result, failed, ok } from "../../core/errors/result.ts";
import type { Reply } from "../../core/http/reply.ts";
import type { QueryParameter } from "../../core/rest/parameters.ts";
import { compileCondition } from "../../core/store/filter.ts";
import { type Condition, type Operator, readCondition } from "../../core/store/operators.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { utf8Length } from "../../core/store/text-order.ts";
import type { Value } from "../../core/store/value.ts";
import { bindValues, longestPattern } from "./bind.ts";
import { serviceError } from "./errors.ts";
import { type TermScope, readTerm } from "./term.ts";
import { sanitize, wordKind } from "./words.ts";

/** A condition of a statement: on a column, or on a constant and so the same for all rows. */
export type StatementFilter = {
  /** How many values it binds. */
  readonly values: number;
  /** How many levels its expression has. */
  readonly depth: number;
  /** Whether it is a LIKE whose pattern SQLite refuses as soon as it compares a value. */
  readonly isTooLong: boolean;
} & (
  | { readonly kind: "column"; readonly condition: Condition }
  | { readonly kind: "constant"; readonly passes: boolean }
);

/** The service's own list, which does not grow with the store's operators. */
const knownOperators: readonly Operator[] = ["eq", "ne", "gt", "gte", "lt", "lte", "like", "in"];

/**
 * Reads `column` or `column.operator`; the rest after another dot is ignored. Unknown operators mean equality, except
 * names that every JavaScript object has: the service finds those in its table of operators, and its statement breaks.
 */
export function readStatementFilter(
  { name, value }: QueryParameter,
  scope: TermScope,
): StatementFilter | undefined {
  const [word = "", suffix = ""] = name.split(".");
  if (suffix in Object.prototype) return undefined;
  const operator = knownOperators.find((known) => known === suffix) ?? "eq";
  return makeFilter(readCondition(sanitize(word), operator, value), scope);
}

/** A condition on the meaning of a word; undefined if SQLite refuses the word. */
export function makeFilter(written: Condition, scope: TermScope): StatementFilter | undefined {
  const term = readTerm(written.column, scope);
  if (term === undefined) return undefined;
  const values = "values" in written ? written.values.length : 1;
  // SQLite turns a list of one value into an equality with a unary plus.
  const depth = "values" in written && values === 1 ? 3 : 2;
  const isTooLong = written.operator === "like" && utf8Length(written.value) > longestPattern;
  if (term.kind === "column") {
    const condition = { ...written, column: term.column };
    return { kind: "column", condition, values, depth, isTooLong };
  }
  const { constant } = term;
  // The condition's values are texts, and neither side is converted.
  const passes = compileCondition(written, { kind: "NONE", collation: "BINARY" })(constant);
  return { kind: "constant", passes, values, depth, isTooLong };
}

/**
 * Finds the values of a key by column: of a single column in the path or by name, of several columns by name only. `find`
 * looks up a column where the method has other values. Falsy values count as missing.
 */
export function findKey(
  columns: readonly string[],
  inPath: string | undefined,
  find: (column: string) => unknown,
): Result<ReadonlyMap<string, unknown>, Reply> {
  const values = new Map<string, unknown>();
  for (const column of columns) {
    const value = (columns.length === 1 ? inPath : undefined) || find(column);
    if (!value) return failed(serviceError(400, `Missing primary key value for '${column}'`));
    values.set(column, value);
  }
  return ok(values);
}

/** Whether a name needs no quotes: the service writes names of key columns unquoted. */
function isPlain(column: string): boolean {
  return /^[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*$/.test(column) && wordKind(column) === "name";
}

/** The condition that a key column has a value; undefined if its name breaks the statement. */
export function keyFilter(
  column: string,
  value: string,
  scope: TermScope,
): StatementFilter | undefined {
  if (!isPlain(column)) return undefined;
  return makeFilter({ column, operator: "eq", value }, scope);
}

/**
 * The conditions for a key's values by column. Undefined if SQLite refuses the statement: without a key it ends at
 * WHERE, and some values cannot be bound.
 */
export function keyValues(
  { primaryKey }: TableSchema,
  values: ReadonlyMap<string, unknown>,
): readonly Value[] | undefined {
  if (primaryKey.length === 0 || !primaryKey.every(isPlain)) {
    return undefined;
  }
  const bound = bindValues(primaryKey.map((column) => values.get(column)));
  return bound.ok ? bound.value : undefined;
}
