import {
  affinity,
  type ColumnKind,
  columnKind,
  columnKinds,
  type SqlScalar,
} from "./column-kinds.ts";
import { parseNumber } from "./number-text.ts";
import { wellFormed } from "./text-order.ts";
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

/** A value as it is stored, or what the column takes instead. */
export type Fitting =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly expected: string };

/** What a table takes and how it keeps it: where a profile of the tables interface decides about the store. */
export interface StorageRules {
  /** How the values of a declared type are stored and compared. */
  readonly kindOf: (type: string) => ColumnKind;
  /** What a column makes of a value. NULL is not asked about. */
  readonly fit: (value: unknown, kind: ColumnKind) => Fitting;
  /** Whether a single key column of this declared type is the row id. */
  readonly isRowIdType: (type: string) => boolean;
  /** Whether key columns that are not the row id may be NULL, and several rows have NULL there. */
  readonly keysMayBeNull: boolean;
  /** Whether queries and writes may name the row id `rowid` where no column has that name. */
  readonly rowIdIsColumn: boolean;
  /**
   * By which kind a row that changes is compared with those that may refer to it, where their columns are of two kinds.
   * Undefined: with what the column referred to would store.
   */
  readonly scanKind: ((to: ColumnKind, from: ColumnKind) => ColumnKind) | undefined;
  /** Bytes as a client sees them. */
  readonly blob: (bytes: Uint8Array) => BlobValue;
  /** No larger one is generated. */
  readonly largestRowId: RowId;
}

/** Columns take values of their own type only, and keep them as JSON has them. */
export const strictStorage: StorageRules = {
  kindOf: columnKind,
  fit: strictFit,
  isRowIdType: (type) => columnKind(type) === "INTEGER",
  keysMayBeNull: false,
  rowIdIsColumn: false,
  scanKind: undefined,
  blob: (bytes) => new Base64Blob(bytes),
  // Clients read keys as doubles.
  largestRowId: Number.MAX_SAFE_INTEGER,
};

/** SQLite's: columns have an affinity, which converts what it can and keeps everything else as it is. */
export const sqliteStorage: StorageRules = {
  kindOf: affinity,
  fit: affinityFit,
  isRowIdType: (type) => type.trim().toUpperCase() === "INTEGER",
  keysMayBeNull: true,
  rowIdIsColumn: true,
  // As it compares any two columns (https://sqlite.org/datatype3.html, 4.2).
  scanKind: (...kinds) =>
    kinds.some((kind) => columnKinds[kind].operand.text === "number") ? "NUMERIC" : "NONE",
  blob: (bytes) => new BlobValue(bytes),
  largestRowId: 2n ** 63n - 1n,
};

/** Takes only values of the column's own type, and stores them as they are. */
export function strictFit(value: unknown, kind: ColumnKind): Fitting {
  const { fits, expected, keepsClass } = columnKinds[kind];
  const known = value instanceof WholeReal && !keepsClass ? value.value : value;
  const given = kind === "INTEGER" ? exactInteger(known) : known;
  const copy = fits(given) ? copyValue(given) : undefined;
  const stored = copy instanceof BlobValue ? new Base64Blob(copy.bytes) : copy;
  return stored === undefined ? { ok: false, expected } : { ok: true, value: stored };
}

/** A whole number that no JSON number holds is given as the text of its digits. Any other text is no number. */
export function exactInteger<Given>(value: Given): Given | number | ExactInteger {
  const number = typeof value === "string" ? parseNumber(value) : undefined;
  return typeof number === "bigint" && String(number) === value ? integerValue(number) : value;
}

/**
 * Stores as SQLite does: the column's affinity converts what it can, and everything else stays what it is. Of
 * what SQLite does not have, booleans become 1 and 0, arrays and objects their compact JSON text.
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

/** A value in one of SQLite's storage classes. */
function bind(value: unknown): null | SqlScalar | BlobValue | undefined {
  if (typeof value === "string") return wellFormed(value);
  // SQLite has infinite numbers; the sum makes 0 of -0, which nobody can tell apart there.
  if (typeof value === "number") return Number.isNaN(value) ? undefined : value + 0;
  const copy = copyValue(value);
  if (copy === undefined || copy === null) return copy;
  if (typeof copy === "boolean") return Number(copy);
  const isStorable = typeof copy !== "object" || isDatabaseValue(copy);
  return isStorable ? copy : wellFormed(JSON.stringify(copy));
}
