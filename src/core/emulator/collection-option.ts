import type { RecordCollection } from "../../extras/collections/collection.ts";

/** A column of a collection, as in fixtures; references are not possible. */
export interface CollectionColumn {
  readonly type?: string;
  readonly notNull?: boolean;
  readonly unique?: boolean;
  readonly default?: unknown;
  readonly collate?: "BINARY" | "NOCASE";
}

/** A collection with what is to be said of its table. */
export interface DeclaredCollection {
  readonly collection: RecordCollection;
  /** The key's column, or columns. Default: `id` where there is such a column. */
  readonly primaryKey?: string | readonly string[];
  /**
   * All columns, by name: a property that is not named here is not shown, and cannot be written. Default: what the
   * collection's schema tells, else what its records have.
   */
  readonly columns?: Readonly<Record<string, string | CollectionColumn>>;
}

/** Collections of `@msw/data` by the name of the table that each is served as. */
export type CollectionTables = Readonly<Record<string, RecordCollection | DeclaredCollection>>;
