import { didYouMean, nearestName, showText } from "../../errors/show.ts";
import { type Result, failed, ok } from "../../errors/result.ts";
import {
  type Condition,
  isOperator,
  operatorNames,
  operators,
  readCondition,
  textsOf,
} from "../../store/operators.ts";
import type { Query, Sort } from "../../store/table.ts";
import type { Column, TableSchema } from "../../store/schema.ts";
import type { QueryParameter } from "../parameters.ts";
import { type TablesFailure, type TablesFailures, listNames, noPrimaryKey } from "./errors.ts";
import { type PathKey, keyParts } from "./request.ts";

/** Only this many problems of a query are named. */
const mostFailures = 20;

/** Makes a query of a GET's key and parameters. Problems are named together, not only the first. */
export function planRead(
  schema: TableSchema,
  key: PathKey | undefined,
  parameters: readonly QueryParameter[],
): Result<Query, TablesFailures> {
  const { filters, reserved, failures } = sortParameters(parameters);
  const keep = <T>(outcome: Result<T, TablesFailure>): T | undefined => {
    if (outcome.ok) return outcome.value;
    failures.push(outcome.error);
    return undefined;
  };
  const where = key === undefined ? [] : [...(keep(keyConditions(schema, key)) ?? [])];
  for (const filter of distinct(filters)) {
    // Nobody reads more problems than these, and finding all takes long.
    if (failures.length >= mostFailures) break;
    const condition = keep(readFilter(filter, schema.columns));
    if (condition !== undefined) where.push(condition);
  }
  const costly = refuseCostly(where);
  if (costly !== undefined) failures.push(costly);
  const sort = keep(readSort(reserved, schema));
  const limit = keep(readCount(reserved, "limit"));
  const offset = keep(readCount(reserved, "offset"));
  const [first, ...others] = failures;
  if (first !== undefined) return failed([first, ...others]);
  return ok({ where, sort, limit, offset });
}

/** A repeated condition adds nothing, and should not be tested 1,000 times per row. */
function distinct(filters: readonly QueryParameter[]): readonly QueryParameter[] {
  const known = new Map(
    filters.map((filter) => [`${filter.name.length} ${filter.name} ${filter.value}`, filter]),
  );
  return known.size === filters.length ? filters : [...known.values()];
}

/** Reads the path's key as one value per column of the primary key, in key order. */
export function keyConditions(
  { name, primaryKey }: TableSchema,
  key: PathKey,
): Result<readonly Condition[], TablesFailure> {
  if (primaryKey.length === 0) return failed(noPrimaryKey(name));
  // Only composite keys are split: a single value may contain commas.
  const values = primaryKey.length === 1 ? [key.whole] : keyParts(key);
  if (values.length !== primaryKey.length) {
    const message =
      `The primary key of ${showText(name)} is ${primaryKey.join(", ")}: ` +
      `${primaryKey.length} values, not ${values.length}.`;
    const hint = (root: string): string =>
      `Use ${root}/${name}/{${primaryKey.join("},{")}}; write a comma within a value as %2C.`;
    return failed({ code: "invalid_key", message, hint });
  }
  return ok(
    primaryKey.map((column, index) => ({ column, operator: "eq", value: values[index] ?? "" })),
  );
}

type ReservedName = (typeof reservedNames)[number];

/** The parameters of a query: filters, and those with reserved names. */
interface SortedParameters {
  readonly filters: readonly QueryParameter[];
  readonly reserved: Readonly<Reserved>;
  /** A failure for each duplicate reserved name. Other failures are added. */
  readonly failures: TablesFailure[];
}

type Reserved = Record<ReservedName, string | undefined>;

/** Separates `sort_by`, `order`, `limit` and `offset`, which must be unique, from the filters. */
function sortParameters(parameters: readonly QueryParameter[]): SortedParameters {
  const filters: QueryParameter[] = [];
  const reserved: Reserved = {
    sort_by: undefined,
    order: undefined,
    limit: undefined,
    offset: undefined,
  };
  const repeated: ReservedName[] = [];
  for (const parameter of parameters) {
    const name = reservedNames.find((known) => known === parameter.name);
    if (name === undefined) filters.push(parameter);
    else if (reserved[name] === undefined) reserved[name] = parameter.value;
    else if (!repeated.includes(name)) repeated.push(name);
  }
  return { filters, reserved, failures: repeated.map(repeatedParameter) };
}

function repeatedParameter(name: ReservedName): TablesFailure {
  const message = `The parameter ${name} is given more than once.`;
  return {
    code: "repeated_parameter",
    message,
    hint: `Filter a column of that name by ${name}.eq.`,
    about: name,
  };
}

/** Reads `sort_by` and `order`. Without `sort_by`, `order` applies to the primary key, else to the row id. */
function readSort(
  reserved: SortedParameters["reserved"],
  { columns, primaryKey }: TableSchema,
): Result<Sort | undefined, TablesFailure> {
  const column = reserved.sort_by;
  const order = reserved.order;
  if (column !== undefined && !hasColumn(columns, column)) {
    return failed(unknownColumn(column, columns, "sort_by"));
  }
  if (order !== undefined && !/^(?:asc|desc)$/i.test(order)) {
    const message = `The order ${showText(order)} is neither ASC nor DESC.`;
    return failed({ code: "invalid_order", message, about: "order" });
  }
  if (column === undefined && order === undefined) return ok(undefined);
  const descending = order?.toLowerCase() === "desc";
  const names = column === undefined ? primaryKey : [column];
  const by = names.map((name) => ({ column: name, descending }));
  // Without a key, the order is that of the row id.
  return ok({ by, ...(by.length === 0 ? { rowIdDescending: descending } : {}) });
}

/** Reads `limit` or `offset`: any number of decimal digits. */
function readCount(
  reserved: SortedParameters["reserved"],
  name: "limit" | "offset",
): Result<number | undefined, TablesFailure> {
  const text = reserved[name];
  if (text === undefined) return ok(undefined);
  if (/^\d+$/.test(text)) return ok(Number(text));
  const message = `The ${name} ${showText(text)} is not a whole number of 0 or more.`;
  const code = name === "limit" ? "invalid_limit" : "invalid_offset";
  return failed({ code, message, about: name });
}

/** Parameters that are not filters. */
const reservedNames = ["sort_by", "order", "limit", "offset"] as const;

/** Reads `<column>=<value>` or `<column>.<operator>=<value>` against a table's columns. */
function readFilter(
  { name, value }: QueryParameter,
  columns: readonly Column[],
): Result<Condition, TablesFailure> {
  // Try the exact name first: column names may contain dots.
  if (hasColumn(columns, name)) return ok({ column: name, operator: "eq", value });
  const dot = name.lastIndexOf(".");
  if (dot < 0) return failed(unknownColumn(name, columns, name, reservedNames));
  const column = name.slice(0, dot);
  const operator = name.slice(dot + 1);
  if (!hasColumn(columns, column)) return failed(unknownColumn(column, columns, name));
  if (!isOperator(operator)) return failed(unknownOperator(name, operator));
  if (operators[operator].takes === "pattern" && value.length > longestPattern) {
    return failed(longPattern(name, value));
  }
  return ok(readCondition(column, operator, value));
}

/** Whether there is a column of exactly this name. */
function hasColumn(columns: readonly Column[], name: string): boolean {
  return columns.some((column) => column.name === name);
}

/** Reports an unknown column in a parameter, with the nearest name among the columns and `others`. */
function unknownColumn(
  column: string,
  columns: readonly Column[],
  about: string,
  others: readonly string[] = [],
): TablesFailure {
  const names = columns.map(({ name }) => name);
  const known = [...names, ...others];
  return {
    code: "unknown_column",
    message: `There is no column ${showText(column)}.`,
    guess: didYouMean(column, known),
    guessed: nearestName(column, known),
    hint: listNames("Columns", names),
    about,
  };
}

/** The limit keeps a request from blocking the service for seconds: matching time grows with the pattern. */
const longestPattern = 1_000;

function longPattern(name: string, pattern: string): TablesFailure {
  return {
    code: "invalid_filter",
    message:
      `The pattern of ${showText(name)} has ${pattern.length} characters. ` +
      `It can have at most ${longestPattern}.`,
    hint: "Look for a shorter part of the text, with % on both sides.",
  };
}

/** The most conditions that are not lookups: 50 of them take 0.1 s over 100,000 rows. */
const mostComparisons = 50;

/** Refuses conditions that would together take too long. */
function refuseCostly(where: readonly Condition[]): TablesFailure | undefined {
  const patterns = where
    .filter(({ operator }) => operators[operator].takes === "pattern")
    .flatMap(textsOf);
  const letters = patterns.reduce((sum, { length }) => sum + length, 0);
  if (letters > longestPattern) {
    const message = `The patterns have ${letters} characters together. They can have at most ${longestPattern}.`;
    return { code: "invalid_filter", message };
  }
  const looked = where.filter(({ operator }) => !operators[operator].isLookup);
  if (looked.length <= mostComparisons) return undefined;
  const others = operatorNames.filter((name) => operators[name].isLookup);
  return {
    code: "invalid_filter",
    message: `There are ${looked.length} comparisons and patterns. There can be ${mostComparisons} at most.`,
    hint: `Use ${others.join(" and ")}, of which there can be any number.`,
  };
}

function unknownOperator(name: string, operator: string): TablesFailure {
  return {
    code: "unknown_operator",
    message: `There is no operator ${showText(operator)}, as in ${showText(name)}.`,
    guess: `${didYouMean(operator, operatorNames)} The operators are ${operatorNames.join(", ")}.`,
    hint: "Write a filter as <column>.<operator>=<value>, or <column>=<value> for equality.",
    about: name,
  };
}
