import { failed, ok, type Result } from "../../errors/result.ts";
import type { Sort } from "../../store/query.ts";
import { showText } from "../../errors/show.ts";
import type { TableSchema } from "../../store/schema.ts";
import type { Parameter } from "../parameters.ts";
import { type Failure } from "./errors.ts";
import { hasColumn, reservedNames, unknownColumn } from "./filters.ts";

type ReservedName = (typeof reservedNames)[number];

/** Parameters by what they do. */
export interface SortedParameters {
  readonly filters: readonly Parameter[];
  readonly reserved: Readonly<Reserved>;
  /** A failure for each reserved name that came twice, for others to be added. */
  readonly failures: Failure[];
}

type Reserved = Record<ReservedName, string | undefined>;

/** Tells `sort_by`, `order`, `limit` and `offset`, which may come once, from the filters. */
export function sortParameters(parameters: readonly Parameter[]): SortedParameters {
  const filters: Parameter[] = [];
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

function repeatedParameter(name: ReservedName): Failure {
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
): Result<Sort | undefined, Failure> {
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
): Result<number | undefined, Failure> {
  const text = reserved[name];
  if (text === undefined) return ok(undefined);
  if (/^\d+$/.test(text)) return ok(Number(text));
  const message = `The ${name} ${showText(text)} is not a whole number of 0 or more.`;
  return failed({ code: name === "limit" ? "invalid_limit" : "invalid_offset", message });
}
