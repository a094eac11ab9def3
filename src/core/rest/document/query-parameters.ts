import { didYouMean } from "../../errors/nearest-name.ts";
import { type Result, failed, ok } from "../../errors/result.ts";
import { showText } from "../../errors/show.ts";
import { type Condition, isOperator, operatorNames, readCondition } from "../../store/operators.ts";
import type { Sort } from "../../store/query.ts";
import type { Column, TableSchema } from "../../store/schema.ts";
import type { QueryParameter } from "../parameters.ts";
import { type RestFailure, listNames } from "./errors.ts";

type ReservedName = (typeof reservedNames)[number];

/** Parameters by what they do. */
interface SortedParameters {
  readonly filters: readonly QueryParameter[];
  readonly reserved: Readonly<Reserved>;
  /** A failure for each reserved name that came twice, for others to be added. */
  readonly failures: RestFailure[];
}

type Reserved = Record<ReservedName, string | undefined>;

/** Tells `sort_by`, `order`, `limit` and `offset`, which may come once, from the filters. */
export function sortParameters(parameters: readonly QueryParameter[]): SortedParameters {
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

function repeatedParameter(name: ReservedName): RestFailure {
  const message = `The parameter ${name} is given more than once.`;
  return {
    code: "repeated_parameter",
    message,
    hint: `Filter a column of that name by ${name}.eq.`,
  };
}

/** Reads `sort_by` and `order`. Without `sort_by` an order is that of the primary key, else of the row id. */
export function readSort(
  reserved: SortedParameters["reserved"],
  { columns, primaryKey }: TableSchema,
): Result<Sort | undefined, RestFailure> {
  const column = reserved.sort_by;
  const order = reserved.order;
  if (column !== undefined && !hasColumn(columns, column)) {
    return failed(unknownColumn(column, columns));
  }
  if (order !== undefined && !/^(?:asc|desc)$/i.test(order)) {
    const message = `The order ${showText(order)} is neither ASC nor DESC.`;
    return failed({ code: "invalid_order", message });
  }
  if (column === undefined && order === undefined) return ok(undefined);
  const descending = order?.toLowerCase() === "desc";
  const names = column === undefined ? primaryKey : [column];
  const by = names.map((name) => ({ column: name, descending }));
  // Without any key it is the row id that the order is of.
  return ok({ by, ...(by.length === 0 ? { rowIdDescending: descending } : {}) });
}

/** Reads `limit` or `offset`: decimal digits, however many. */
export function readCount(
  reserved: SortedParameters["reserved"],
  name: "limit" | "offset",
): Result<number | undefined, RestFailure> {
  const text = reserved[name];
  if (text === undefined) return ok(undefined);
  if (/^\d+$/.test(text)) return ok(Number(text));
  const message = `The ${name} ${showText(text)} is not a whole number of 0 or more.`;
  return failed({ code: name === "limit" ? "invalid_limit" : "invalid_offset", message });
}

/** Parameters that are no filters. */
const reservedNames = ["sort_by", "order", "limit", "offset"] as const;

/** Reads `<column>=<value>` or `<column>.<operator>=<value>` against a table's columns. */
export function readFilter(
  { name, value }: QueryParameter,
  columns: readonly Column[],
): Result<Condition, RestFailure> {
  // The exact name first: column names may have dots.
  if (hasColumn(columns, name)) return ok({ column: name, operator: "eq", value });
  const dot = name.lastIndexOf(".");
  if (dot < 0) return failed(unknownParameter(name, columns));
  const column = name.slice(0, dot);
  const operator = name.slice(dot + 1);
  if (!hasColumn(columns, column)) return failed(unknownColumn(column, columns));
  if (!isOperator(operator)) return failed(unknownOperator(name, operator));
  return ok(readCondition(column, operator, value));
}

/** Whether there is a column of exactly this name. */
function hasColumn(columns: readonly Column[], name: string): boolean {
  return columns.some((column) => column.name === name);
}

/** Names a column that a query asks for in vain, the nearest name, and all columns that there are. */
function unknownColumn(column: string, columns: readonly Column[]): RestFailure {
  const names = columns.map(({ name }) => name);
  return noColumn(column, names, didYouMean(column, names));
}

/** The same for the name of a parameter, which could have been another parameter's as well. */
function unknownParameter(name: string, columns: readonly Column[]): RestFailure {
  const names = columns.map((column) => column.name);
  return noColumn(name, names, meantParameter(name, names, reservedNames));
}

function noColumn(column: string, names: readonly string[], meant: string): RestFailure {
  return {
    code: "unknown_column",
    message: `There is no column ${showText(column)}.${meant}`,
    hint: listNames("Columns", names),
  };
}

function unknownOperator(name: string, operator: string): RestFailure {
  return {
    code: "unknown_operator",
    message:
      `There is no operator ${showText(operator)}, as in ${showText(name)}.` +
      `${didYouMean(operator, operatorNames)} The operators are ${operatorNames.join(", ")}.`,
    hint: "Write a filter as <column>.<operator>=<value>, or <column>=<value> for equality.",
  };
}

/** What json-server's parameters are here, which are too far from their names to be found by their letters. */
const parameters: ReadonlyMap<string, string> = new Map([
  ["_sort", ' Did you mean "sort_by"?'],
  ["_order", ' Did you mean "order"?'],
  ["_limit", ' Did you mean "limit"?'],
  ["_per_page", ' Did you mean "limit"?'],
  ["_start", ' Did you mean "offset"?'],
  ["_end", ' Did you mean "limit"?'],
  ["_page", ' Did you mean "limit" and "offset"?'],
  ["_embed", " Rows of another table are a request of their own."],
  ["_expand", " Rows of another table are a request of their own."],
  ["q", ' One column is searched by "<column>.like".'],
]);

/**
 * What was probably meant by the name of a parameter that is no column: what json-server calls so, else the nearest
 * of the names that there are. A sentence with a space before it; empty where nothing is near.
 */
function meantParameter(
  name: string,
  columns: readonly string[],
  others: readonly string[],
): string {
  const known = parameters.get(name);
  if (known !== undefined) return known;
  const [, column = "", operator = ""] = /^(.+)_(gte?|lte?|ne|like)$/s.exec(name) ?? [];
  if (columns.includes(column)) return ` Did you mean "${column}.${operator}"?`;
  return didYouMean(name, [...columns, ...others]);
}
