import type { ColumnEntry, OperatorEntry, TableEntry } from "../api/client.ts";
import { isNumeric } from "./cell.ts";

/** The filters and the order of a table, as texts for the address. */
export interface TableQuery {
  /** The filters that are typed in the header, by column, as the query of a URL. */
  readonly filters: string;
  /** The column to sort by; empty: none. */
  readonly sort: string;
  /** `asc` or `desc`. */
  readonly order: string;
}

export const firstQuery: TableQuery = { filters: "", sort: "", order: "asc" };

/** The query for the rows with this value in a column. */
export function rowsWith(column: string, value: unknown): Pick<TableQuery, "filters"> {
  return { filters: String(new URLSearchParams({ [column]: `= ${String(value)}` })) };
}

/** The filter that is typed for a column. */
export function filterOf({ filters }: TableQuery, column: string): string {
  return new URLSearchParams(filters).get(column) ?? "";
}

/** The filters with another text for one column. */
export function withFilter({ filters }: TableQuery, column: string, text: string): string {
  const changed = new URLSearchParams(filters);
  if (text === "") changed.delete(column);
  else changed.set(column, text);
  return String(changed);
}

/** A condition that was typed. */
interface TypedCondition {
  readonly operator: string;
  readonly value: string;
}

/** A way to type an operator. */
interface Sign {
  readonly text: string;
  readonly operator: string;
}

/** The ways to type operators, longest first, since `<=` begins with `<`. A word must be followed by a space. */
function signsOf(operators: readonly OperatorEntry[]): readonly Sign[] {
  return operators
    .flatMap(({ name, signs }) =>
      signs.map((sign) => ({ text: /\w/.test(sign) ? `${sign} ` : sign, operator: name })),
    )
    .toSorted((one, other) => other.text.length - one.text.length);
}

/**
 * The conditions that a text asks for: `paris`, `>= 5`, `> 1 & < 9`, `like a%`, `in 1,2`. Without an operator, a text
 * column has to contain it, and any other column to equal it.
 */
export function conditionsIn(
  text: string,
  { type }: Pick<ColumnEntry, "type">,
  operators: readonly OperatorEntry[],
): readonly TypedCondition[] {
  const isExact = isNumeric(type) || /bool/i.test(type);
  const signs = signsOf(operators);
  // An `&` that no operator follows belongs to a value.
  const and = new RegExp(`\\s+&\\s+(?=${signs.map((sign) => sign.text).join("|")})`);
  return text.split(and).flatMap((part): readonly TypedCondition[] => {
    const typed = part.trim();
    const sign = signs.find((each) => typed.startsWith(each.text));
    const value = typed.slice(sign?.text.length ?? 0).trim();
    if (value === "") return [];
    if (sign !== undefined) return [{ operator: sign.operator, value }];
    return isExact ? [{ operator: "eq", value }] : [{ operator: "like", value: `%${value}%` }];
  });
}

const reserved: readonly string[] = ["sort_by", "order", "limit", "offset"];

/** The part of the matching rows to read. */
export interface RowRange {
  readonly limit: number;
  readonly offset: number;
}

/** The rows to read: a table, a query and a range. */
export interface AskedRows {
  readonly table: Pick<TableEntry, "name" | "columns">;
  readonly query: TableQuery;
  /** The range of rows to read. Default: all rows. */
  readonly range?: RowRange;
}

/** The path of a query after `/rest/`. */
export function queryPath(
  { table: { name, columns }, query, range }: AskedRows,
  operators: readonly OperatorEntry[],
): string {
  const { sort, order } = query;
  const conditions = columns.flatMap((column) =>
    conditionsIn(filterOf(query, column.name), column, operators).map(
      ({ operator, value }) => [parameterOf(column.name, operator), value] as const,
    ),
  );
  const pairs: readonly (readonly [string, string])[] = [
    ...conditions,
    ...(sort === "" ? [] : [["sort_by", sort] as const, ["order", order] as const]),
    ...(range === undefined ? [] : [["limit", String(range.limit)] as const]),
    ...(range === undefined || range.offset === 0
      ? []
      : [["offset", String(range.offset)] as const]),
  ];
  const text = pairs.map(([key, value]) => `${encoded(key)}=${encoded(value)}`).join("&");
  return encodeURIComponent(name) + (text === "" ? "" : `?${text}`);
}

/** The parameter for a column. A column name that could be misread gets an explicit operator. */
function parameterOf(column: string, operator: string): string {
  const isPlain = operator === "eq" && !reserved.includes(column) && !column.includes(".");
  return isPlain ? column : `${column}.${operator}`;
}

/** Percent-encodes what a query cannot contain literally. */
function encoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("%2C", ",")
    .replaceAll("%3A", ":")
    .replaceAll("%40", "@");
}

/** The next sort order of a column: ascending, descending, none. */
export function nextSort({ sort, order }: TableQuery, column: string): Partial<TableQuery> {
  if (sort !== column) return { sort: column, order: "asc" };
  return order === "asc" ? { order: "desc" } : { sort: "", order: "asc" };
}
