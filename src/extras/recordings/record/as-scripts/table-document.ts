import type { TableInput } from "../../../../core/fixture-set/format/table-format.ts";
import { inferColumns } from "../../../../core/store/schema.ts";
import type { JsonRow } from "../../../../core/store/value.ts";

/** Rows as a table's file: with the columns that they have, and their key. Without rows nothing is known of either. */
export function tableDocument(
  rows: readonly JsonRow[],
  key: string | undefined,
): TableInput | readonly JsonRow[] {
  if (rows.length === 0) return [];
  const columns = inferColumns(rows).map(({ name, type }): [string, string] => [name, type]);
  return {
    ...(key === undefined ? {} : { primaryKey: key }),
    columns: Object.fromEntries(columns),
    rows,
  };
}
