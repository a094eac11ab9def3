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
  largestRowId: 2n ** 63n - 1n,
};
