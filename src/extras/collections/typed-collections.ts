import type { JsonValue } from "../../core/schema/json.ts";
import type { Key, Row, RowValue, TableHandle } from "../../core/emulator/tables.ts";
import type { CellOf, FixtureTables } from "../../core/emulator/typed-tables.ts";

/**
 * The structure of a `Collection` of `@msw/data`, whatever its records. The package is never imported here: its users
 * bring it.
 */
export interface RecordCollection {
  readonly all: () => readonly object[];
  readonly create: (values: never) => Promise<object>;
  readonly update: (record: never, options: never) => Promise<object | undefined>;
  readonly delete: (record: never) => unknown;
}

/** A column of a collection, as in fixtures but without references. */
export interface CollectionColumn {
  readonly type?: string;
  readonly notNull?: boolean;
  readonly unique?: boolean;
  readonly default?: unknown;
  readonly collate?: "BINARY" | "NOCASE";
}

/** A collection and its table's declaration. */
export interface DeclaredCollection {
  readonly collection: RecordCollection;
  /** The key's column or columns. Default: `id`, if there is such a column. */
  readonly primaryKey?: string | readonly string[];
  /**
   * All columns, by name. Properties that are not named are hidden and cannot be written. Default: the collection's
   * schema, else the properties of its records.
   */
  readonly columns?: Readonly<Record<string, string | CollectionColumn>>;
}

/** Collections of `@msw/data`, by table name. */
export type CollectionTables = Readonly<Record<string, RecordCollection | DeclaredCollection>>;

/** Like {@link TableHandle}, for a collection of `@msw/data`, which writes asynchronously. */
export interface CollectionHandle<
  R extends object = Row,
  Given extends object = Partial<R>,
> extends Pick<TableHandle<R>, "name" | "size" | "rows" | "get"> {
  /** Creates a record and returns it as a row. Rejects with `ERR_ROW_REFUSED`. */
  readonly insert: (row: Given) => Promise<R>;
  /** Changes some columns of a record. Rejects with `ERR_ROW_REFUSED`, also for a missing one. */
  readonly update: (key: Key, changes: Given) => Promise<R>;
  /** Replaces all columns of a record. Rejects with `ERR_ROW_REFUSED`. */
  readonly replace: (key: Key, row: Given) => Promise<R>;
  /** Deletes a record; false if there was none. Rejects with `ERR_ROW_REFUSED` when a hook prevents it. */
  readonly delete: (key: Key) => Promise<boolean>;
}

/** The type of a record's property in a row: as in JSON, except for bigints and bytes, and null if left out. */
type CellOfProperty<Value> = unknown extends Value
  ? RowValue
  : Value extends bigint
    ? number | bigint
    : Value extends Uint8Array
      ? Uint8Array
      : JsonOf<Value>;

/** The type of a value as JSON has it, which is the type of all values within documents. */
type JsonOf<Value> = unknown extends Value
  ? JsonValue
  : Value extends undefined | symbol | ((...given: never) => unknown)
    ? null
    : Value extends string | number | boolean | null
      ? Value
      : Value extends bigint
        ? number
        : Value extends Date
          ? string
          : Value extends Uint8Array
            ? JsonValue
            : Value extends readonly (infer Item)[]
              ? readonly JsonOf<Item>[]
              : { readonly [Name in keyof Value & string]: PartOf<Value[Name]> };

/** Optional properties within a document stay optional. */
type PartOf<Value> = undefined extends Value
  ? JsonOf<Exclude<Value, undefined>> | undefined
  : JsonOf<Value>;

type CollectionIn<Given> = Given extends { readonly collection: infer Collection }
  ? Collection
  : Given;

type RecordIn<Given> =
  CollectionIn<Given> extends { readonly all: () => readonly (infer Record)[] } ? Record : never;

type ValuesIn<Given> =
  CollectionIn<Given> extends { readonly create: (values: infer Values) => unknown }
    ? Values
    : never;

/**
 * The type of a record as a row. In a union, each record is a row. Symbols belong to the collection and are left out.
 */
type RowOfRecord<Record> = Record extends unknown
  ? { readonly [Column in keyof Record & string]-?: CellOfProperty<Record[Column]> }
  : never;

type RowOfDeclared<Record, Columns> = {
  readonly [Column in keyof Columns & string]: Column extends keyof Record
    ? CellOfProperty<Record[Column]>
    : CellOf<Columns[Column]>;
};

type CollectionRow<Given> = Given extends { readonly columns: infer Columns extends object }
  ? RowOfDeclared<RecordIn<Given>, Columns>
  : RowOfRecord<RecordIn<Given>>;

/** The type of the input for a row: what the collection takes, with every column optional or null. */
type GivenFor<Given> =
  ValuesIn<Given> extends infer Values
    ? Values extends unknown
      ? { readonly [Column in keyof Values & string]?: Values[Column] | null }
      : never
    : never;

type GivenColumns<Given> = Given extends { readonly columns: infer Columns extends object }
  ? Pick<GivenFor<Given>, keyof GivenFor<Given> & keyof Columns>
  : GivenFor<Given>;

/** Handles of collections by table name. */
export type CollectionHandles<Collections extends CollectionTables> = {
  readonly [Name in keyof Collections]: CollectionHandle<
    CollectionRow<Collections[Name]>,
    GivenColumns<Collections[Name]>
  >;
};

/**
 * The tables of a fixture document and of collections by name, with the rows' types if known. Beside collections,
 * fixture tables of unknown type are left out, since their names could be any. `NoInfer`: the types of collections are
 * not inferred from the type that the emulator is assigned to.
 */
export type TablesOf<Fixtures, Given extends CollectionTables = never> = [Given] extends [never]
  ? FixtureTables<Fixtures>
  : unknown extends Fixtures
    ? CollectionHandles<NoInfer<Given>>
    : CollectionHandles<NoInfer<Given>> & Omit<FixtureTables<Fixtures>, keyof Given>;
