import type { StorageRules } from "../store/storage-rules.ts";
import type { Table } from "../store/table.ts";

/** Tables by name whose rows the program around the emulator keeps. */
export type ForeignTables = ReadonlyMap<string, ForeignTable>;

/** A table whose rows are the records of a user's collection. */
export interface ForeignTable extends Table {
  /** A bigint that is given arrives in the record as one, also where a number would hold it. */
  readonly takesBigints: true;
  /** The same collection, served by other rules. */
  readonly under: (storage: StorageRules) => ForeignTable;
  /** The records as they are now. Only the collection itself can read a snapshot. */
  readonly snapshot: () => CollectionSnapshot;
  readonly restore: (snapshot: CollectionSnapshot) => void;
}

/** The records of a collection at one moment, and what they were related to. */
export interface CollectionSnapshot {
  readonly records: readonly object[];
  readonly relations: readonly {
    readonly foreignKeys: Set<unknown>;
    readonly keys: readonly unknown[];
  }[];
}
