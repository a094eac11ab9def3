import type { Column } from "../../core/store/schema.ts";
import type { StorageRules } from "../../core/store/storage-rules.ts";
import { type TableLayout, makeRow, rowIdOf } from "../../core/store/table-layout.ts";
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
import { type ColumnCodec, codecOf, hexadecimal } from "./column-codec.ts";
import { unreadableValue } from "./failures.ts";

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
export function storedCells(table: StoredTable, id: RowId, row: Row): StoredCells {
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
type ReadCells = readonly (string | null)[];

/** The row, and its id, that cells tell of. Throws an `UnreadableValue`. */
export function storedRowOf(
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
    return value instanceof BlobValue ? table.layout.storage.blob(value.bytes) : value;
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

/** A value that its column's type does not have. */
interface ExactCell {
  /** What the column has in its place. Where it has something else by now, another program has written that, and it counts. */
  readonly shown: string;
  readonly is: SaidValue;
}

type SaidValue =
  | { readonly integer: string }
  | { readonly real: string }
  | { readonly blob: string }
  | { readonly json: unknown };

/** The values of a row that its columns' types do not have, by column. */
class ExactCells {
  readonly #cells: Map<string, ExactCell>;

  constructor(cells: Iterable<readonly [string, ExactCell]> = []) {
    this.#cells = new Map(cells);
  }

  /** Reads the text that `toText` made. Throws on any other. */
  static read(text: string | null): ExactCells {
    if (text === null) return none;
    const said: Readonly<Record<string, ExactCell>> = JSON.parse(text);
    // What another program wrote there need not be what was meant: all of it is looked at now.
    for (const { is } of Object.values(said)) readValue(is);
    return new ExactCells(Object.entries(said));
  }

  /** Notes a value, in place of which its column shows something else. */
  set(column: string, value: Value, shown: string): void {
    this.#cells.set(column, { shown, is: sayValue(value) });
  }

  /** The value of a column that shows this text. Undefined: it is what it shows. */
  valueOf(column: string, shown: string | null): Value | undefined {
    const cell = this.#cells.get(column);
    return cell === undefined || cell.shown !== shown ? undefined : readValue(cell.is);
  }

  /** As JSON, which says any character. Null: there are none. */
  toText(): string | null {
    return this.#cells.size === 0 ? null : JSON.stringify(Object.fromEntries(this.#cells));
  }
}

const none: ExactCells = new ExactCells();

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
