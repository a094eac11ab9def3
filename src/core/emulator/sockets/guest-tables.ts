import type { StorageRules } from "../../store/storage-rules.ts";
import type { Table } from "../../store/table.ts";

/** Tables by name whose rows belong to the surrounding program. */
export type GuestTables = ReadonlyMap<string, GuestTable>;

/** A table whose rows belong to the surrounding program. */
export interface GuestTable extends Table {
  /** Marks a table that keeps each bigint as a bigint, even if a number could hold it. */
  readonly takesBigints: true;
  /** The same table under other storage rules. */
  readonly under: (storage: StorageRules) => GuestTable;
  /** The current rows, in a form that only `restore` of this table reads. */
  readonly snapshot: () => unknown;
  readonly restore: (snapshot: unknown) => void;
}

/** Reads the option `tables`. Rejects with `ERR_OPTION_INVALID` for a value that is not a table. */
export type ReadGuestTables = (option: unknown) => Promise<GuestTables>;
