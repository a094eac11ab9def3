import {
  type CellLayout,
  type TableLayout,
  makeRow,
  rowIdOf,
} from "../../core/store/table-layout.ts";
import {
  BlobValue,
  ExactInteger,
  type Row,
  type RowId,
  type Value,
  WholeReal,
  copyJson,
  integerValue,
} from "../../core/store/value.ts";
import { type ColumnCodec, codecOf } from "./column-codec.ts";
import { UnreadableValue } from "./failures.ts";
import { hexadecimal } from "../../core/http/bytes.ts";

/** The columns that Backlot adds to tables. */
export const hiddenColumns = { id: "_backlot_id", exact: "_backlot_exact" } as const;

/** A row as PostgreSQL stores it: texts by column. */
export type StoredCells = Readonly<Record<string, string | null>>;

/** A column as PostgreSQL stores it. */
export interface StoredColumn extends CellLayout {
  readonly codec: ColumnCodec;
  /** Whether it can hold infinite numbers. */
  readonly isUnbounded: boolean;
}

/** A table as PostgreSQL stores it, and how its rows are written and read. */
export interface StoredTable {
  readonly name: string;
  readonly layout: TableLayout;
  readonly columns: readonly StoredColumn[];
  /** The column with the row id. */
  readonly idColumn: string;
  /** Its primary key. */
  readonly primaryKey: readonly string[];
  /** Whether the largest key ever used must be kept. */
  readonly keepsLargestId: boolean;
}

/** How a table is stored. */
export function storedTable(layout: TableLayout): StoredTable {
  const { schema, rowIdColumn, keyCells } = layout;
  const columns = layout.cells.map((cell): StoredColumn => {
    const isUnbounded = layout.storage.fit(Infinity, cell.kind).ok;
    return { ...cell, codec: codecOf(cell), isUnbounded };
  });
  const idColumn = rowIdColumn ?? hiddenColumns.id;
  // PostgreSQL allows no key that may be NULL or of any type. Then the row id is the key, as in SQLite.
  const isKey =
    keyCells.length > 0 &&
    !layout.storage.keysMayBeNull &&
    keyCells.every((cell) => comparable.includes(codecOf(cell).type));
  return {
    name: schema.name,
    layout,
    columns,
    idColumn,
    primaryKey: isKey ? schema.primaryKey : [idColumn],
    keepsLargestId: schema.autoIncrement === true,
  };
}

const comparable: readonly string[] = ["bigint", "double precision", "text", "boolean"];

/** All of a row's cells, or only those of some columns. */
export function storedCells(table: StoredTable, id: RowId, row: Row): StoredCells {
  const exact: [string, ExactCell][] = [];
  const cells = table.columns.map(({ name, codec }): readonly [string, string | null] => {
    const value = row[name] ?? null;
    if (value === null) return [name, null];
    const text = codec.write(value);
    if (text !== undefined) return [name, text];
    const nearest = codec.nearest(value);
    exact.push([name, { shown: nearest, is: sayValue(value) }]);
    return [name, nearest];
  });
  if (table.idColumn === hiddenColumns.id) cells.push([hiddenColumns.id, String(id)]);
  const said = exact.length === 0 ? null : JSON.stringify(Object.fromEntries(exact));
  cells.push([hiddenColumns.exact, said]);
  // Assignment would lose a column named `__proto__`.
  return Object.fromEntries(cells);
}

/**
 * The row and the id in stored cells: texts in the order of the table's columns, between its id and its exact cells.
 * Throws an `UnreadableValue`.
 */
export function storedRowOf(
  table: StoredTable,
  cells: readonly (string | null)[],
): { readonly id: RowId; readonly row: Row } {
  const [digits, ...texts] = cells;
  const row = digits ?? "NULL";
  const unreadable = (column: string): Error => new UnreadableValue(table.name, column, row);
  if (digits === undefined || digits === null || !/^-?\d+$/.test(digits)) {
    throw unreadable(table.idColumn);
  }
  const exact = exactCells(texts.pop() ?? null);
  if (exact === undefined) throw unreadable(hiddenColumns.exact);
  const values = table.columns.map(({ name, codec, isUnbounded }, at) => {
    const text = texts[at] ?? null;
    if (text === null) return null;
    const cell = exact.get(name);
    // If the column has a different value now, another program wrote it, and that value wins.
    const value = cell?.shown === text ? cell.value : codec.read(text);
    const isInfinite = value === Infinity || value === -Infinity;
    if (value === undefined || (isInfinite && !isUnbounded)) throw unreadable(name);
    return value instanceof BlobValue ? table.layout.storage.blob(value.bytes) : value;
  });
  return { id: readRowId(digits), row: makeRow(table.layout, values) };
}

/** The exact values of a row by column. Undefined: another program wrote something invalid. */
function exactCells(
  text: string | null,
): ReadonlyMap<string, { readonly shown: string; readonly value: Value }> | undefined {
  if (text === null) return new Map();
  try {
    const said: Readonly<Record<string, ExactCell>> = JSON.parse(text);
    return new Map(
      Object.entries(said).map(([name, { shown, is }]) => [name, { shown, value: readValue(is) }]),
    );
  } catch {
    return undefined;
  }
}

/** A row id from its digits. */
export function readRowId(digits: string): RowId {
  return rowIdOf(integerValue(BigInt(digits))) ?? 0;
}

/** A value that its column's type lacks, and what the column holds instead. */
interface ExactCell {
  readonly shown: string;
  readonly is: SaidValue;
}

type SaidValue =
  | { readonly integer: string }
  | { readonly real: string }
  | { readonly blob: string }
  | { readonly json: unknown };

function sayValue(value: Value): SaidValue {
  if (value instanceof ExactInteger) return { integer: String(value.value) };
  if (value instanceof WholeReal) return { real: String(value.value) };
  if (value instanceof BlobValue) return { blob: hexadecimal(value.bytes) };
  const isInfinite = typeof value === "number" && !Number.isFinite(value);
  return isInfinite ? { real: String(value) } : { json: value };
}

function readValue(said: SaidValue): Value {
  if ("integer" in said) return new ExactInteger(BigInt(said.integer));
  if ("blob" in said) return new BlobValue(Uint8Array.from(Buffer.from(said.blob, "hex")));
  if ("real" in said) {
    const real = Number(said.real);
    return Number.isFinite(real) ? new WholeReal(real) : real;
  }
  return copyJson(said.json) ?? null;
}
