import type { Column } from "../../core/store/schema.ts";
import type { StorageRules } from "../../core/store/storage-rules.ts";
import { makeRow, rowIdOf, type TableLayout } from "../../core/store/table-layout.ts";
import { type Row, type RowId, type Value, integerValue } from "../../core/store/value.ts";
import { type ColumnCodec, codecOf } from "./column-codec.ts";
import { ExactCells } from "./exact-cells.ts";
import { unreadableValue } from "./unreadable-value.ts";

/** The columns that Backlot adds to tables. */
export const hiddenColumns = { id: "_backlot_id", exact: "_backlot_exact" } as const;

/** A row as PostgreSQL has it: texts by column. */
export type StoredCells = Readonly<Record<string, string | null>>;

/** A column as it stands in PostgreSQL. */
export interface StoredColumn {
  readonly name: string;
  readonly codec: ColumnCodec;
  readonly needsValue: boolean;
  /** Whether an infinite number can be in it. */
  readonly isUnbounded: boolean;
  /** What it was declared as. */
  readonly declared: Column;
  readonly storage: StorageRules;
}

/** A table as it stands in PostgreSQL, and how its rows get there and back. */
export interface StoredTable {
  readonly name: string;
  readonly layout: TableLayout;
  readonly columns: readonly StoredColumn[];
  /** The column that has the row id. */
  readonly idColumn: string;
  /** Its primary key. */
  readonly primaryKey: readonly string[];
  /** Whether the largest key that there ever was has to be known. */
  readonly keepsLargestId: boolean;
}

/** How a table is stored. */
export function storedTable(layout: TableLayout): StoredTable {
  const { schema, rowIdColumn, keyCells } = layout;
  const columns = layout.cells.map((cell): StoredColumn => ({
    name: cell.name,
    codec: codecOf(cell),
    needsValue: cell.needsValue,
    isUnbounded: layout.storage.fit(Infinity, cell.kind).ok,
    declared: cell.column,
    storage: layout.storage,
  }));
  const idColumn = rowIdColumn ?? hiddenColumns.id;
  // What may be NULL, or is anything, is no key there. SQLite's own key is the row id then, too.
  const isKey =
    keyCells.length > 0 &&
    !layout.storage.keysMayBeNull &&
    keyCells.every((cell) => comparable.has(codecOf(cell).type));
  return {
    name: schema.name,
    layout,
    columns,
    idColumn,
    primaryKey: isKey ? schema.primaryKey : [idColumn],
    keepsLargestId: schema.autoIncrement === true,
  };
}

const comparable: ReadonlySet<ColumnCodec["type"]> = new Set([
  "bigint",
  "double precision",
  "text",
  "boolean",
]);

/** All of a row's cells, or those of some columns alone. */
export function cellsOf(table: StoredTable, id: RowId, row: Row): StoredCells {
  const exact = new ExactCells();
  const cells = table.columns.map(({ name, codec }): readonly [string, string | null] => {
    const value = row[name] ?? null;
    if (value === null) return [name, null];
    const text = codec.write(value);
    if (text !== undefined) return [name, text];
    const nearest = codec.nearest(value);
    exact.set(name, value, nearest);
    return [name, nearest];
  });
  if (table.idColumn === hiddenColumns.id) cells.push([hiddenColumns.id, String(id)]);
  cells.push([hiddenColumns.exact, exact.toText()]);
  // Not by assignment, which would lose a column named `__proto__`.
  return Object.fromEntries(cells);
}

/** The texts of a row in the order of the table's columns, between its id and its exact cells. */
export type ReadCells = readonly (string | null)[];

/** The row, and its id, that cells tell of. Throws an `UnreadableValue`. */
export function rowOf(
  table: StoredTable,
  cells: ReadCells,
): { readonly id: RowId; readonly row: Row } {
  const [digits, ...texts] = cells;
  const row = digits ?? "NULL";
  const unreadable = (column: string): Error => unreadableValue({ table: table.name, column, row });
  if (digits === undefined || digits === null || !/^-?\d+$/.test(digits)) {
    throw unreadable(table.idColumn);
  }
  const exact = exactCells(texts.pop() ?? null);
  if (exact === undefined) throw unreadable(hiddenColumns.exact);
  const values = table.columns.map((column, at) => {
    const text = texts[at] ?? null;
    if (text === null) return null;
    const value = readCell(column, text, exact);
    if (value === undefined) throw unreadable(column.name);
    return value;
  });
  return { id: readRowId(digits), row: makeRow(table.layout, values) };
}

function exactCells(text: string | null): ExactCells | undefined {
  try {
    return ExactCells.read(text);
  } catch {
    return undefined;
  }
}

function readCell(
  { name, codec, isUnbounded }: StoredColumn,
  text: string,
  exact: ExactCells,
): Value | undefined {
  const value = exact.valueOf(name, text) ?? codec.read(text);
  const isInfinite = value === Infinity || value === -Infinity;
  return isInfinite && !isUnbounded ? undefined : value;
}

/** A row id out of its digits. */
export function readRowId(digits: string): RowId {
  return rowIdOf(integerValue(BigInt(digits))) ?? 0;
}
