import { failed, ok, type Result } from "../../errors/result.ts";
import { compileCondition, soleOperand } from "../../store/filter.ts";
import type { Condition } from "../../store/operators.ts";
import { showText, showValue } from "../../errors/show.ts";
import { comparisonRules, type ComparisonRules } from "../../store/order-value.ts";
import type { Query } from "../../store/query.ts";
import type { Column, TableSchema } from "../../store/schema.ts";
import { strictStorage } from "../../store/storage-rules.ts";
import { type Row, type Value, copyValue } from "../../store/value.ts";
import type { Parameter } from "../parameters.ts";
import type { Change } from "../plan.ts";
import { type Failure, joinFailures, noPrimaryKey } from "./errors.ts";
import { readFilter } from "./filters.ts";
import { keyParts, type PathKey } from "./request.ts";
import { readCount, readSort, sortParameters } from "./window.ts";

/** Makes a query of a GET's key and parameters. Every problem is named, not only the first. */
export function planRead(
  schema: TableSchema,
  key: PathKey | undefined,
  parameters: readonly Parameter[],
): Result<Query, Failure> {
  const { filters, reserved, failures } = sortParameters(parameters);
  const keep = <T>(outcome: Result<T, Failure>): T | undefined => {
    if (outcome.ok) return outcome.value;
    failures.push(outcome.error);
    return undefined;
  };
  const where = key === undefined ? [] : [...(keep(keyConditions(schema, key)) ?? [])];
  for (const filter of distinct(filters)) {
    const condition = keep(readFilter(filter, schema.columns));
    if (condition !== undefined) where.push(condition);
  }
  const sort = keep(readSort(reserved, schema));
  const limit = keep(readCount(reserved, "limit"));
  const offset = keep(readCount(reserved, "offset"));
  const [first] = failures;
  if (first !== undefined) return failed(joinFailures(first, failures.slice(1)));
  return ok({ where, sort, limit, offset });
}

/** A condition that is repeated holds as it does once, and need not be looked at 1,000 times for each row. */
function distinct(filters: readonly Parameter[]): readonly Parameter[] {
  const known = new Map(
    filters.map((filter) => [`${filter.name.length} ${filter.name} ${filter.value}`, filter]),
  );
  return known.size === filters.length ? filters : [...known.values()];
}

/** Reads the key of the path as one value for each column of the primary key, in key order. */
export function keyConditions(
  { name, primaryKey }: TableSchema,
  key: PathKey,
): Result<readonly Condition[], Failure> {
  if (primaryKey.length === 0) return failed(noPrimaryKey(name));
  // Only a composite key is split: a single value may have commas.
  const values = primaryKey.length === 1 ? [key.whole] : keyParts(key);
  if (values.length !== primaryKey.length) {
    const message =
      `The primary key of ${showText(name)} is ${primaryKey.join(", ")}: ` +
      `${primaryKey.length} values, not ${values.length}.`;
    const hint = `Use /rest/${name}/{${primaryKey.join("},{")}}; write a comma within a value as %2C.`;
    return failed({ code: "invalid_key", message, hint });
  }
  return ok(
    primaryKey.map((column, index) => ({ column, operator: "eq", value: values[index] ?? "" })),
  );
}

/** Refuses a query on a write: it would look like a condition and have no effect. */
export function refuseQuery(parameters: readonly Parameter[]): Failure | undefined {
  const [first] = parameters;
  if (first === undefined) return undefined;
  return {
    code: "unexpected_query",
    message: `A write takes no query parameters, and here is ${showText(first.name)}.`,
    hint: "Only GET can be filtered; a write addresses one row by its key in the path.",
  };
}

/** Plans a PUT: the whole row, whose key must be the path's where it has one. */
export function planReplace(
  schema: TableSchema,
  where: readonly Condition[],
  row: Row,
): Result<Change, Failure> {
  const mismatch = keyMismatch(schema, where, row);
  return mismatch === undefined
    ? ok({ kind: "replace", target: { where }, row, keepsShown: true })
    : failed(mismatch);
}

/** Plans a PATCH: the columns to change. The key may stand among them as long as it is the path's. */
export function planUpdate(
  schema: TableSchema,
  where: readonly Condition[],
  row: Row,
): Result<Change, Failure> {
  const mismatch = keyMismatch(schema, where, row);
  if (mismatch !== undefined) return failed(mismatch);
  const others = Object.entries(row).filter(([name]) => !schema.primaryKey.includes(name));
  if (others.length > 0) {
    const changes = Object.fromEntries(others);
    return ok({ kind: "update", target: { where }, changes, keepsShown: true });
  }
  const message = "The body has the primary key and no column to change.";
  return failed({ code: "empty_body", message });
}

function keyMismatch(
  schema: TableSchema,
  where: readonly Condition[],
  row: Row,
): Failure | undefined {
  for (const condition of where) {
    const { column: name } = condition;
    const column = schema.columns.find((known) => known.name === name);
    if (column === undefined || !Object.hasOwn(row, name)) continue;
    if (meets(condition, column, row[name])) continue;
    const wanted = "value" in condition ? showText(condition.value) : "another";
    const message = `The body has ${showValue(row[name])} as its ${showText(name)}, and the path has ${wanted}.`;
    const hint = "A key cannot change: leave it out of the body, or send the path's.";
    return { code: "key_mismatch", message, hint };
  }
  return undefined;
}

function meets(condition: Condition, column: Column, value: Value | undefined): boolean {
  const rules = comparisonRules(column, strictStorage.kindOf);
  // A value nested too deeply to be compared is no key either.
  const comparable = copyValue(value);
  if (comparable === undefined) return false;
  return compileCondition(condition, rules)(comparable) || isShownKey(condition, rules, comparable);
}

/** Whether this is the number that GET shows of a key beyond doubles. */
function isShownKey(condition: Condition, rules: ComparisonRules, value: Value): boolean {
  if (condition.operator !== "eq") return false;
  const key = soleOperand(condition.value, rules);
  return typeof key === "bigint" && Number(key) === value;
}
