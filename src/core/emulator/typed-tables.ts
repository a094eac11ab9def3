import type { ColumnValues } from "../store/column-kinds.ts";
import type { JsonValue } from "../schema/json.ts";
import type { Row, RowValue, TableHandle, CollectionHandle } from "./tables.ts";

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

/** A literal in a fixture stands for any value of its kind. */
type Widened<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value extends null
        ? null
        : JsonValue;

/** The names of all columns: rows may have different ones. */
type ColumnOf<Sample> = Sample extends unknown ? keyof Sample : never;

/** The values of a column in any row; null where a row leaves it out. */
type CellIn<Sample, Column> = Sample extends unknown
  ? Column extends keyof Sample
    ? Widened<Sample[Column]>
    : null
  : never;

/** A column of nulls alone is unknown. */
type Known<Cell> = [Cell] extends [null] ? JsonValue : Cell;

type RowLike<Sample> = {
  readonly [Column in ColumnOf<Sample>]: Known<CellIn<Sample, Column>>;
};

/** The key is never null, so code can use it as read. */
type WithKey<Table, Cells> = Table extends { readonly primaryKey: infer Key extends string }
  ? { [Column in keyof Cells]: Column extends Key ? NonNullable<Cells[Column]> : Cells[Column] }
  : Cells;

type RowOf<Table> = Table extends { readonly columns: infer Columns }
  ? WithKey<Table, { readonly [Column in keyof Columns]: CellOf<Columns[Column]> }>
  : Table extends readonly (infer Sample extends object)[]
    ? RowLike<Sample>
    : Table extends { readonly rows: readonly (infer Sample extends object)[] }
      ? RowLike<Sample>
      : Row;

type AnyTables = Readonly<Record<string, TableHandle>>;

type FixtureTables<Fixtures> = Fixtures extends { readonly tables: infer Tables }
  ? // Unknown where the fixtures are `any`, as those that `JSON.parse` gives.
    unknown extends Tables
    ? AnyTables
    : Tables extends readonly unknown[]
      ? AnyTables
      : { readonly [Name in keyof Tables]: TableHandle<RowOf<Tables[Name]>> }
  : AnyTables;

/**
 * The tables of a fixture document and of collections, with the rows' types if known. Beside collections, fixture
 * tables of unknown type are left out, since their names could be any.
 */
export type TablesOf<Fixtures, Collections extends CollectionTables = never> = [
  Collections,
] extends [never]
  ? FixtureTables<Fixtures>
  : unknown extends Fixtures
    ? CollectionHandles<Collections>
    : CollectionHandles<Collections> & Omit<FixtureTables<Fixtures>, keyof Collections>;

/** The value of a record's property in a row: as in JSON except for bigints and bytes, null if left out. */
type CellOfProperty<Value> = unknown extends Value
  ? RowValue
  : Value extends bigint
    ? number | bigint
    : Value extends Uint8Array
      ? Uint8Array
      : JsonOf<Value>;

/** A value as JSON has it, as all values within documents. */
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

/** In a union of records, each is a row. Symbols belong to the collection. */
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

/** The input for a row: what the collection takes, all of it optional or null. */
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

type ValueOf<Type> = Type extends string ? ValueOfName<Uppercase<Type>> : RowValue;

/** A type known only as `string` tells nothing. */
type ValueOfName<Name extends string> = string extends Name
  ? RowValue
  : Name extends keyof ColumnValues
    ? ColumnValues[Name]
    : ValueOfSqlType<Name>;

/** SQL types, by SQLite's affinity rules in its order. */
type ValueOfSqlType<Name extends string> = Name extends `${string}INT${string}`
  ? Name extends `${string}BIG${string}` | "INT8"
    ? number | bigint
    : number
  : Name extends `${string}${"CHAR" | "CLOB" | "TEXT"}${string}`
    ? string
    : Name extends "" | `${string}BLOB${string}`
      ? RowValue
      : Name extends `${string}${"REAL" | "FLOA" | "DOUB"}${string}`
        ? number
        : number | string;

/** The values of a declared column, including null unless it is NOT NULL. */
export type CellOf<Column> = Column extends string
  ? ValueOf<Column> | null
  : Column extends { readonly type: infer Type; readonly notNull: true }
    ? ValueOf<Type>
    : Column extends { readonly type: infer Type }
      ? ValueOf<Type> | null
      : RowValue;
