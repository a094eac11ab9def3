import { affinityFit } from "./affinity-fit.ts";
import { affinity, type ColumnKind, columnKind } from "./affinity.ts";
import { type FitPolicy, strictFit } from "./fit.ts";
import type { RowId } from "./row-id.ts";

/** What a table takes and how it keeps it: where a profile of the tables interface decides about the store. */
export interface StorageRules {
  /** How the values of a declared type are stored and compared. */
  readonly kindOf: (type: string) => ColumnKind;
  readonly fit: FitPolicy;
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
  // Clients read keys as doubles.
  largestRowId: Number.MAX_SAFE_INTEGER,
};

const numeric: ReadonlySet<ColumnKind> = new Set(["INTEGER", "REAL", "NUMERIC"]);

/** SQLite's: columns have an affinity, which converts what it can and keeps everything else as it is. */
export const sqliteStorage: StorageRules = {
  kindOf: affinity,
  fit: affinityFit,
  isRowIdType: (type) => type.trim().toUpperCase() === "INTEGER",
  keysMayBeNull: true,
  rowIdIsColumn: true,
  // As it compares any two columns (https://sqlite.org/datatype3.html, 4.2).
  scanKind: (...kinds) => (kinds.some((kind) => numeric.has(kind)) ? "NUMERIC" : "NONE"),
  largestRowId: 2n ** 63n - 1n,
};
