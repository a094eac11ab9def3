import { affinity } from "../../core/store/column-kinds.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { sqliteStorage, type StorageRules } from "../../core/store/storage-rules.ts";
import { freeRowIdName, tableLayout } from "../../core/store/table-layout.ts";
import type { Row, Value } from "../../core/store/value.ts";
import { cellValue } from "./read-default.ts";
import { quoted, type SqlCell, type SqlDatabase } from "./sqlite.ts";

/** Reads all rows of a table in stored form, by row id. Rows have it as a value if no column has it and it is not just the row's number. */
export function readRows(
  database: SqlDatabase,
  schema: TableSchema,
  storage: StorageRules,
): readonly Row[] {
  const names = schema.columns.map(({ name }) => name);
  const rowIdColumn = freeRowIdName(schema);
  const hasRowIds = schema.withoutRowId !== true && rowIdColumn !== undefined;
  const list = [...names.map(quoted), hasRowIds ? rowIdColumn : "NULL"].join(", ");
  const order = hasRowIds ? ` ORDER BY ${rowIdColumn}` : "";
  const statement = database.prepare(`SELECT ${list} FROM main.${quoted(schema.name)}${order}`);
  const kinds = schema.columns.map(({ type }) => affinity(type));
  const rows: Row[] = [];
  const rowIds: bigint[] = [];
  while (statement.step()) {
    const cells = statement.get(null, { useBigInt: true });
    const rowId = cells.at(-1);
    if (typeof rowId === "bigint") rowIds.push(rowId);
    // Assignment would lose a column named `__proto__`.
    rows.push(
      Object.fromEntries(
        names.map((name, at) => [
          name,
          storedValue(cells[at] ?? null, kinds[at] ?? "NONE", storage),
        ]),
      ),
    );
  }
  statement.free();
  const isCounted = rowIds.every((id, at) => id === BigInt(at + 1));
  const { hiddenRowId } = tableLayout(schema, sqliteStorage);
  if (isCounted || hiddenRowId === undefined) return rows;
  return rows.map((row, at) => ({
    ...row,
    [hiddenRowId]: cellValue(rowIds[at] ?? null, storage),
  }));
}

/** SQLite has already converted the cell for its column; in most columns that determines a number's class. */
function storedValue(cell: SqlCell, kind: string, storage: StorageRules): Value {
  return typeof cell === "number" && kind !== "NONE" ? cell + 0 : cellValue(cell, storage);
}
