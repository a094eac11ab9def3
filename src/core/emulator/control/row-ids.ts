import type { MemoryTable } from "../../store/memory-table.ts";
import type { RowId } from "../../store/value.ts";
import { rowIdName } from "../../store/table-layout.ts";

/** The row ids of a table that neither its rows say nor their places: a load would count them from 1. */
export function unsaidRowIds({ state }: MemoryTable): readonly RowId[] | undefined {
  const { layout, rows } = state;
  if (layout.rowIdColumn !== undefined || !layout.isRowId(rowIdName)) return undefined;
  const ids: RowId[] = [];
  rows.visit({ from: 0, to: rows.size }, (keys, _, { start, end }) => {
    ids.push(...keys.slice(start, end));
    return true;
  });
  return ids.some((id, index) => id !== index + 1) ? ids : undefined;
}
