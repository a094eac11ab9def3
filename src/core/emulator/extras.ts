import type { ConsolePage } from "../control/context.ts";
import type { RestProfile } from "../rest/profiles.ts";
import type { StorageRules } from "../store/storage-rules.ts";
import type { Table } from "../store/table.ts";

/**
 * What an emulator can do without. The core knows none of it by name: each composition root registers what it ships,
 * and whatever weighs something is loaded when it is first needed.
 */
export interface Extras {
  /** Profiles of the tables besides `document`. Their stages are loaded with the first request. */
  readonly tableProfiles?: readonly RestProfile[];
  /** Makes tables of the option `tables`. Default: the option is refused. */
  readonly collections?: () => Promise<ReadCollections>;
  /** The console. Default: there is none. */
  readonly console?: () => Promise<ConsolePage>;
}

/** Reads the option `tables`. Rejects with `ERR_OPTION_INVALID` when it names no collections. */
export type ReadCollections = (option: unknown) => Promise<ForeignTables>;

/** Tables by name whose rows are kept by the program around the emulator. */
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

/** The records of a collection at one moment. */
export interface CollectionSnapshot {
  readonly records: readonly object[];
  readonly relations: readonly {
    readonly foreignKeys: Set<unknown>;
    readonly keys: readonly unknown[];
  }[];
}
