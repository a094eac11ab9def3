import {
  affinity,
  type ColumnKind,
  columnKind,
  columnKinds,
  type SqlScalar,
} from "./column-kinds.ts";
import { parseJson } from "../schema/json.ts";
import { parseNumber } from "./number-text.ts";
import {
  Base64Blob,
  BlobValue,
  copyValue,
  deepestNesting,
  ExactInteger,
  integerValue,
  isDatabaseValue,
  type RowId,
  type Value,
  WholeReal,
} from "./value.ts";

/** A value in stored form, or what the column expects instead. */
export type Fitting =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly expected: string };

/** What a table accepts and how it stores it: the part of the store that a tables profile decides. */
export interface StorageRules {
  /** How the values of a declared type are stored and compared. */
  readonly kindOf: (type: string) => ColumnKind;
  /** Converts a value for a column. Never called for NULL. */
  readonly fit: (value: unknown, kind: ColumnKind) => Fitting;
  /** Whether a single key column of this declared type is the row id. */
  readonly isRowIdType: (type: string) => boolean;
  /** Whether key columns other than the row id may be NULL, even in several rows. */
  readonly keysMayBeNull: boolean;
  /** Whether queries and writes may use the name `rowid` where no column has it. */
  readonly rowIdIsColumn: boolean;
  /**
   * The kind in which a changed row is compared with the rows that may refer to it, if the columns' kinds differ.
   * Undefined: the target column's kind.
   */
  readonly scanKind: ((to: ColumnKind, from: ColumnKind) => ColumnKind) | undefined;
  /** Converts a value that SQLite has stored in a column of this kind to the store's own form. */
  readonly ofDatabase: (value: Value, kind: ColumnKind) => Value;
  /** Bytes as a client sees them. */
  readonly blob: (bytes: Uint8Array) => BlobValue;
  /** The largest row id that is generated. */
  readonly largestRowId: RowId;
}

/** Columns accept only values of their own type, and keep them as JSON has them. */
export const strictStorage: StorageRules = {
  kindOf: columnKind,
  fit: strictFit,
  isRowIdType: (type) => columnKind(type) === "INTEGER",
  keysMayBeNull: false,
  rowIdIsColumn: false,
  scanKind: undefined,
  ofDatabase,
  blob: (bytes) => new Base64Blob(bytes),
  // Clients read keys as doubles.
  largestRowId: Number.MAX_SAFE_INTEGER,
};

/** SQLite's rules: a column's affinity converts what it can and keeps the rest. */
export const sqliteStorage: StorageRules = {
  kindOf: affinity,
  fit: affinityFit,
  isRowIdType: (type) => type.trim().toUpperCase() === "INTEGER",
  keysMayBeNull: true,
  rowIdIsColumn: true,
  // SQLite compares two columns as numbers if one of them is numeric (https://sqlite.org/datatype3.html, 4.2).
  scanKind: (...kinds) =>
    kinds.some((kind) => columnKinds[kind].operand.text === "number") ? "NUMERIC" : "NONE",
  ofDatabase: (value) => value,
  blob: (bytes) => new BlobValue(bytes),
  largestRowId: 2n ** 63n - 1n,
};

/** Accepts only values of the column's own type, and stores them unchanged. */
export function strictFit(value: unknown, kind: ColumnKind): Fitting {
  const { fits, expected, keepsClass } = columnKinds[kind];
  const known = value instanceof WholeReal && !keepsClass ? value.value : value;
  const given = kind === "INTEGER" ? exactInteger(known) : known;
  const copy = fits(given) ? copyValue(given) : undefined;
  const stored = copy instanceof BlobValue ? new Base64Blob(copy.bytes) : copy;
  return stored === undefined ? { ok: false, expected } : { ok: true, value: stored };
}

/** The value of a JSON text in a JSON column, and of the letters that older Rails stored for booleans. */
function ofDatabase(value: Value, kind: ColumnKind): Value {
  if (typeof value !== "string") return value;
  if (kind === "BOOLEAN") return value === "t" || value === "f" ? value === "t" : value;
  if (!columnKinds[kind].isDocument) return value;
  const parsed = parseJson(value);
  return parsed === undefined ? value : (copyValue(parsed) ?? value);
}

/** A whole number beyond JSON's numbers may be given as the text of its digits. No other text is a number. */
export function exactInteger<Given>(value: Given): Given | number | ExactInteger {
  const number = typeof value === "string" ? parseNumber(value) : undefined;
  return typeof number === "bigint" && String(number) === value ? integerValue(number) : value;
}

/**
 * Stores as SQLite does: the column's affinity converts what it can, and the rest stays. SQLite has no booleans,
 * arrays or objects: they become 1 and 0, and compact JSON text.
 */
export function affinityFit(value: unknown, kind: ColumnKind): Fitting {
  const bound = bind(value);
  if (bound === undefined) {
    const expected = `a number or a JSON value, at most ${deepestNesting} levels deep`;
    return { ok: false, expected };
  }
  const isScalar = bound !== null && !(bound instanceof BlobValue);
  return { ok: true, value: isScalar ? columnKinds[kind].convert(bound) : bound };
}

/** Converts a value to one of SQLite's storage classes; undefined if that is not possible. */
function bind(value: unknown): null | SqlScalar | BlobValue | undefined {
  if (typeof value === "string") return value;
  // SQLite has infinite numbers. The sum turns -0 into 0, which SQLite cannot tell apart.
  if (typeof value === "number") return Number.isNaN(value) ? undefined : value + 0;
  const copy = copyValue(value);
  if (copy === undefined || copy === null) return copy;
  if (typeof copy === "boolean") return Number(copy);
  const isStorable = typeof copy !== "object" || isDatabaseValue(copy);
  return isStorable ? copy : JSON.stringify(copy);
}
