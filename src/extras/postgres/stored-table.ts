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
  isDatabaseValue,
  isIntegerNumber,
  realValue,
} from "../../core/store/value.ts";
import { UnreadableValue } from "./failures.ts";
import { hexadecimal } from "../../core/http/bytes.ts";
import { columnKinds, type ValueShape } from "../../core/store/column-kinds.ts";

/** Converts a column's values to the texts in which PostgreSQL takes and returns them, and back. */
interface ColumnCodec {
  /** The column's type in PostgreSQL. */
  readonly type: "bigint" | "double precision" | "numeric" | "text" | "boolean" | "json" | "bytea";
  /** A value's text, exactly as PostgreSQL returns it. Undefined: the type has no such value. Never called with NULL. */
  readonly write: (value: Value) => string | undefined;
  /** The nearest text for a value that the type does not have. */
  readonly nearest: (value: Value) => string;
  /** The value of a text that PostgreSQL returns. Undefined: the column cannot have that value. */
  readonly read: (text: string) => Value | undefined;
}

/** The codec for a column. */
function codecOf({ kind, column }: Pick<CellLayout, "kind" | "column">): ColumnCodec {
  return codecs[columnKinds[kind].shape](column.type);
}

const integer = /^-?\d+$/;

function integerOf(digits: string): Value {
  const value = BigInt(digits);
  // An integer beyond 64 bits can only be a double.
  return BigInt.asIntN(64, value) === value ? integerValue(value) : Number(value);
}

const bigint: ColumnCodec = {
  type: "bigint",
  write: (value) => {
    if (value instanceof ExactInteger) return String(value.value);
    return typeof value === "number" && isIntegerNumber(value) ? String(BigInt(value)) : undefined;
  },
  nearest: () => "0",
  read: (digits) => (integer.test(digits) ? integerOf(digits) : undefined),
};

const double: ColumnCodec = {
  type: "double precision",
  // PostgreSQL spells some numbers in another way.
  write: (value) => (typeof value === "number" ? String(value) : undefined),
  nearest: () => "0",
  read: readReal,
};

function readReal(written: string): number | undefined {
  const number = written === "" ? Number.NaN : Number(written);
  return Number.isNaN(number) ? undefined : number + 0;
}

const numeric: ColumnCodec = {
  type: "numeric",
  write: (value) => {
    if (value instanceof ExactInteger) return String(value.value);
    if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
    // `String` would round the digits of a large number.
    const digits = Number.isInteger(value) ? String(BigInt(value)) : String(value);
    // The decimal point distinguishes this REAL from the INTEGER with the same digits.
    return value === -(2 ** 63) ? `${digits}.0` : digits;
  },
  nearest: () => "0",
  read: (written) => {
    if (integer.test(written)) return integerOf(written);
    const number = readReal(written);
    if (number === undefined) return undefined;
    const real = realValue(number);
    return real instanceof WholeReal ? real.value : real;
  },
};

const boolean: ColumnCodec = {
  type: "boolean",
  write: (value) => (typeof value === "boolean" ? letterOf(value) : undefined),
  nearest: (value) => letterOf(value === 1),
  read: (written) => (written === "t" || written === "f" ? written === "t" : undefined),
};

function letterOf(value: boolean): string {
  return value ? "t" : "f";
}

const textual: ColumnCodec = {
  type: "text",
  write: (value) => (typeof value === "string" && value.search(unsayable) < 0 ? value : undefined),
  nearest: (value) => {
    const shown = typeof value === "string" ? value : JSON.stringify(value);
    return shown.replaceAll(unsayable, "\uFFFD");
  },
  read: (written) => written,
};

/** Characters that PostgreSQL allows in no text: NUL, and lone surrogates. */
const unsayable = /\0|\p{Surrogate}/gu;

const json: ColumnCodec = {
  type: "json",
  write: (value) => {
    if (isDatabaseValue(value)) return undefined;
    return typeof value === "number" && !Number.isFinite(value) ? undefined : JSON.stringify(value);
  },
  nearest: (value) => {
    if (value instanceof ExactInteger) return String(value.value);
    return value instanceof BlobValue ? `"${hexadecimal(value.bytes)}"` : JSON.stringify(value);
  },
  read: readJson,
};

function readJson(written: string): Value | undefined {
  try {
    return copyJson(JSON.parse(written));
  } catch {
    return undefined;
  }
}

const bytea: ColumnCodec = {
  type: "bytea",
  write: (value) => (value instanceof BlobValue ? `\\x${hexadecimal(value.bytes)}` : undefined),
  nearest: () => "\\x",
  read: (written) =>
    /^\\x(?:[\da-f]{2})*$/.test(written)
      ? new BlobValue(Uint8Array.from(Buffer.from(written.slice(2), "hex")))
      : undefined,
};

const codecs: Readonly<Record<ValueShape, (type: string) => ColumnCodec>> = {
  integer: () => bigint,
  double: () => double,
  // Dates have the affinity NUMERIC, too.
  decimal: (type) => (/NUM|DEC|MONEY|BOOL/i.test(type) ? numeric : textual),
  text: () => textual,
  boolean: () => boolean,
  json: () => json,
  any: (type) => (/BLOB/i.test(type) ? bytea : json),
};

/** The columns that Backlot adds to tables. */
export const hiddenColumns = { id: "_backlot_id", exact: "_backlot_exact" } as const;

/** A row as PostgreSQL stores it: texts by column. */
export type StoredCells = Readonly<Record<string, string | null>>;

/** A column as PostgreSQL stores it. */
export interface StoredColumn extends CellLayout {
  readonly codec: ColumnCodec;
  /** Whether the column can hold infinite numbers. */
  readonly isUnbounded: boolean;
}

/** A table as PostgreSQL stores it, and how its rows are written and read. */
export interface StoredTable {
  readonly name: string;
  readonly layout: TableLayout;
  readonly columns: readonly StoredColumn[];
  /** The column with the row id. */
  readonly idColumn: string;
  /** The columns of the primary key. */
  readonly primaryKey: readonly string[];
  /** Whether the largest key ever used must be kept. */
  readonly keepsLargestId: boolean;
}

/** A table in the form in which PostgreSQL stores it. */
export function storedTable(layout: TableLayout): StoredTable {
  const { schema, rowIdColumn, keyCells } = layout;
  const columns = layout.cells.map((cell): StoredColumn => {
    const isUnbounded = layout.storage.fit(Infinity, cell.kind).ok;
    return { ...cell, codec: codecOf(cell), isUnbounded };
  });
  const idColumn = rowIdColumn ?? hiddenColumns.id;
  // PostgreSQL allows no key column that may be NULL or of any type. The primary key is then the row id, as in SQLite.
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
 * The row and the id in stored cells. These are texts in the order of the table's columns, with the id before them and
 * the exact cells after them. Throws an `UnreadableValue`.
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
    // The exact value only counts if the column still has the text that belongs to it. Otherwise another program has
    // changed the column.
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

/** A value that its column's type lacks, and the text in the column that stands for it. */
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
