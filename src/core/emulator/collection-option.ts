/**
 * A `Collection` of `@msw/data` as its type tells it, whatever its records are. The package itself is not imported
 * anywhere: whoever uses it brings it.
 */
export interface RecordCollection {
  readonly all: () => readonly object[];
  readonly create: (values: never) => Promise<object>;
  readonly update: (record: never, options: never) => Promise<object | undefined>;
  readonly delete: (record: never) => unknown;
}

/** A column of a collection, as in fixtures; references are not possible. */
export interface CollectionColumn {
  readonly type?: string;
  readonly notNull?: boolean;
  readonly unique?: boolean;
  readonly default?: unknown;
  readonly collate?: "BINARY" | "NOCASE";
}

/** A collection and how its table is declared. */
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
