import type { Condition } from "../../store/filter.ts";
import type { Table } from "../../store/table.ts";
import { integerKey, rowIdColumn } from "./columns.ts";
import type { Filter } from "./filters.ts";
import { uniqueConstraints } from "./unique-indexes.ts";

/**
 * Whether a pattern that is too long is compared with anything: SQLite refuses it only then. Rows come to it that
 * pass the conditions before it and those that an index answers, and NULL is not compared.
 */
export function comparesLongPattern(table: Table, filters: readonly Filter[]): boolean {
  const position = filters.findIndex(({ kind, isTooLong }) => kind === "column" && isTooLong);
  const long = filters[position];
  if (long?.kind !== "column") return false;
  const indexed = indexedColumns(table);
  const before = filters.flatMap((filter, index): readonly Condition[] => {
    if (filter.kind !== "column") return [];
    const { condition } = filter;
    return index < position || (indexed.has(condition.column) && isSearch(condition))
      ? [condition]
      : [];
  });
  const { column } = long.condition;
  const present: Condition = { column, operator: "like", value: "%" };
  return table.select({ where: [...before, present], limit: 1 }).length > 0;
}

/** Columns by whose order rows can be found. */
function indexedColumns({ schema }: Table): ReadonlySet<string> {
  const first = uniqueConstraints(schema).flatMap((columns) => columns[0] ?? []);
  const rowIds = [integerKey(schema), rowIdColumn(schema)].flatMap((name) => name ?? []);
  const declared = (schema.indexes ?? []).flatMap(({ columns }) => columns[0]?.name ?? []);
  return new Set([...first, ...rowIds, ...declared]);
}

function isSearch({ operator }: Condition): boolean {
  return operator !== "ne" && operator !== "like";
}
