import { type Result, failed, ok } from "../../core/errors/result.ts";
import { utf8Length } from "../../core/store/text-order.ts";
import { type Value, realValue, integerValue } from "../../core/store/value.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { columnNamed } from "./columns.ts";
import { startsExpression, timeWords, withoutSeparators, wordKind, sanitize } from "./words.ts";
import type { Reply } from "../../core/http/reply.ts";
import type { QueryParameter } from "../../core/tables/parameters.ts";
import {
  type Condition,
  type Operator,
  compileCondition,
  readCondition,
} from "../../core/store/operators.ts";
import { serviceError } from "./errors.ts";

/**
 * Converts a JavaScript value as the runtime binds it: every number is a REAL, and anything else except null becomes a
 * text by `String`. Throws a TypeError for objects that cannot become text.
 */
function bindValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return realValue(value);
  // oxlint-disable-next-line typescript/no-base-to-string -- "[object Object]" is what the service stores.
  return String(value);
}

/** {@link bindValue} for several values. Fails with JavaScript's message if one of them cannot be bound. */
export function bindValues(values: readonly unknown[]): Result<readonly Value[], string> {
  try {
    return ok(values.map(bindValue));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** The most values that a statement may bind. */
export const mostValues = 100;

/** The most levels of an expression. Each AND adds one to its left side. */
export const deepestExpression = 100;

/** The most bytes of a LIKE pattern. A longer one fails once it is compared with a value. */
const longestPattern = 50;

/** The most bytes of a statement. */
export const longestStatement = 100_000;

/** The most bytes of a value, and of a row. */
export const longestValue = 2_200_000;

/** LIMIT and OFFSET are 64-bit integers. */
export const countBound: number = 2 ** 63;

/** Whether values have too many bytes for one row. */
export function isTooBig(values: readonly Value[]): boolean {
  const texts: readonly string[] = values.filter((value) => typeof value === "string");
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  // A UTF-16 code unit has at most three bytes in UTF-8.
  if (units * 3 <= longestValue) return false;
  return texts.reduce((sum, text) => sum + utf8Length(text), 0) > longestValue;
}

/** The meaning of a word in the place of an SQL expression. */
export type Term =
  | { readonly kind: "column"; readonly column: string }
  | { readonly kind: "constant"; readonly constant: Value };

export interface TermScope {
  readonly schema: TableSchema;
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
}

/** The meaning of a word as an expression over a table; undefined if SQLite refuses it. */
export function readTerm(written: string, scope: TermScope): Term | undefined {
  const word = withoutSeparators(written);
  switch (wordKind(word)) {
    case "empty":
    case "separated":
    case "illegal":
      return undefined;
    case "integer":
      return integerTerm(word);
    case "real":
      return constantTerm(realValue(Number(word)));
    case "keyword":
      return word.toUpperCase() === "NULL" ? constantTerm(null) : undefined;
    case "name":
      return startsExpression(word) ? nameTerm(word, scope) : undefined;
  }
}

function constantTerm(constant: Value): Term {
  return { kind: "constant", constant };
}

function nameTerm(name: string, { schema, now }: TermScope): Term | undefined {
  const upper = name.toUpperCase();
  if (timeWords.has(upper)) return constantTerm(timeText(upper, now()));
  const column = columnNamed(schema, name);
  if (column !== undefined) return { kind: "column", column };
  if (upper === "TRUE") return constantTerm(1);
  return upper === "FALSE" ? constantTerm(0) : undefined;
}

/** An integer literal. A hexadecimal one has at most 64 bits; a larger decimal one is a REAL. */
function integerTerm(word: string): Term | undefined {
  const value = BigInt(word);
  const signed = BigInt.asIntN(64, value);
  if (/^0x/i.test(word)) {
    if (value >= 2n ** 64n) return undefined;
    return constantTerm(integerValue(signed));
  }
  return constantTerm(signed === value ? integerValue(value) : realValue(Number(value)));
}

/** The time as SQLite writes it, in UTC. */
function timeText(word: string, now: number): string {
  const [date = "", rest = ""] = new Date(now).toISOString().split("T");
  const time = rest.slice(0, 8);
  if (word === "CURRENT_DATE") return date;
  return word === "CURRENT_TIME" ? time : `${date} ${time}`;
}

/** A condition of a statement: on a column, or on a constant and so the same for all rows. */
export type StatementFilter = {
  /** The number of values that the condition binds. */
  readonly values: number;
  /** The depth of the condition's expression. */
  readonly depth: number;
  /** Whether the condition is a LIKE whose pattern SQLite refuses as soon as it compares a value. */
  readonly isTooLong: boolean;
} & (
  | { readonly kind: "column"; readonly condition: Condition }
  | { readonly kind: "constant"; readonly passes: boolean }
);

/** The service's own operators. New operators of the store are not among them. */
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
  // SQLite turns IN with one value into an equality with a unary plus.
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
