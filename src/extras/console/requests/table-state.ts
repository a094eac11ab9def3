import { decodedOrSent } from "../../../core/http/url-parts.ts";
import type { OperatorEntry, TableEntry } from "../api/client.ts";
import { firstQuery, rowsWith, type TableQuery } from "../tables/query.ts";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";

/** The table that a request is about, and the row that its path names. */
export interface AskedTable {
  readonly table: TableEntry;
  readonly row: string | undefined;
}

/** Whether a path belongs to the tables interface. */
export function isOfTables(path: string): boolean {
  return /\/rest\/[^/]/.test(path);
}

/** The table that a request is about; undefined if there is none. */
export function askedTable(
  { path }: JournalSummary,
  tables: readonly TableEntry[],
): AskedTable | undefined {
  const [, name, row] = /\/rest\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  const table = tables.find((one) => encodeURIComponent(one.name) === name || one.name === name);
  return table === undefined ? undefined : { table, row };
}

/** A table or row of a request as the filter for changes names it: `users`, or `users/7`. */
export function changedName({ table, row }: AskedTable): string {
  const name = encodeURIComponent(table.name);
  const key = row?.split(",").map((value) => encodeURIComponent(decodedOrSent(value)));
  return key === undefined ? name : `${name}/${key.join(",")}`;
}

/** The state in which the tables view shows the same rows: those of the query, or the row that the path names. */
export function sameRows(
  { query }: JournalSummary,
  { table, row }: AskedTable,
  operators: readonly OperatorEntry[],
): Partial<TableQuery> {
  const [key] = table.primaryKey;
  if (row !== undefined) return key === undefined ? {} : rowsWith(key, decodedOrSent(row));
  const asked = new URLSearchParams(query);
  const filters = new URLSearchParams();
  for (const [name, value] of asked) {
    const operator = operators.find((one) => name.endsWith(`.${one.name}`));
    const column = operator === undefined ? name : name.slice(0, -operator.name.length - 1);
    if (!table.columns.some((one) => one.name === column)) continue;
    const typed = `${operator?.signs[0] ?? "="} ${value}`;
    filters.set(column, [filters.get(column), typed].filter((text) => text !== null).join(" & "));
  }
  return {
    filters: String(filters),
    sort: asked.get("sort_by") ?? firstQuery.sort,
    order: asked.get("order")?.toLowerCase() ?? firstQuery.order,
  };
}
