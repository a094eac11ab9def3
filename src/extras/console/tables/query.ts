import type { Operator } from "../../../core/store/operators.ts";

/** A condition on rows. */
export interface FilterDraft {
  readonly column: string;
  readonly operator: Operator;
  readonly value: string;
}

/** The requested rows. */
export interface TableQuery {
  readonly conditions: readonly FilterDraft[];
  readonly sort: { readonly column: string; readonly direction: "asc" | "desc" } | undefined;
  readonly limit: number;
  readonly offset: number;
}

export const firstQuery: TableQuery = { conditions: [], sort: undefined, limit: 25, offset: 0 };

const reserved: readonly string[] = ["sort_by", "order", "limit", "offset"];

/** The path of a query after `/rest/`. Empty filters are ignored. */
export function queryPath(table: string, query: TableQuery): string {
  const { sort, limit, offset } = query;
  const pairs: readonly (readonly [string, string])[] = [
    ...typed(query).map((condition) => [parameterOf(condition), condition.value] as const),
    ...(sort === undefined
      ? []
      : [["sort_by", sort.column] as const, ["order", sort.direction] as const]),
    ["limit", String(limit)],
    ...(offset === 0 ? [] : [["offset", String(offset)] as const]),
  ];
  const text = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
  return `${encodeURIComponent(table)}?${text}`;
}

/** The filters that are not empty. */
export function typed({ conditions }: Pick<TableQuery, "conditions">): readonly FilterDraft[] {
  return conditions.filter(({ value }) => value !== "");
}

/** A column name that could be misread gets an explicit operator. */
function parameterOf({ column, operator }: FilterDraft): string {
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
export function nextSort(sort: TableQuery["sort"], column: string): TableQuery["sort"] {
  if (sort?.column !== column) return { column, direction: "asc" };
  return sort.direction === "asc" ? { column, direction: "desc" } : undefined;
}
