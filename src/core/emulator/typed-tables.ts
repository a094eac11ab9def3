import type { ColumnKind } from "../store/column-kinds.ts";
import type { JsonValue } from "../schema/json.ts";
import type { Row, RowValue, TableHandle, CollectionHandle } from "./tables.ts";

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
  /** The key's column or columns. Default: `id`, if there is such a column. */
  readonly primaryKey?: string | readonly string[];
  /**
   * All columns, by name: a property that is not named here is not shown, and cannot be written. Default: what the
   * collection's schema tells, else what its records have.
   */
  readonly columns?: Readonly<Record<string, string | CollectionColumn>>;
}

/** Collections of `@msw/data` by the name of the table that each is served as. */
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

/** The names of all columns: rows need not all have the same. */
type ColumnOf<Sample> = Sample extends unknown ? keyof Sample : never;

/** What a column holds in any of the rows; null where a row leaves it out. */
type CellIn<Sample, Column> = Sample extends unknown
  ? Column extends keyof Sample
    ? Widened<Sample[Column]>
    : null
  : never;

/** Nothing is known of a column that only holds null. */
type Known<Cell> = [Cell] extends [null] ? JsonValue : Cell;

type RowLike<Sample> = {
  readonly [Column in ColumnOf<Sample>]: Known<CellIn<Sample, Column>>;
};

/** The key is never null, so that it can be used as it is read. */
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
 * The tables of a fixture document and of collections, with the rows' types where they tell them. Beside
 * collections, tables of fixtures of which nothing is known are left out: their names could be any.
 */
export type TablesOf<Fixtures, Collections extends CollectionTables = never> = [
  Collections,
] extends [never]
  ? FixtureTables<Fixtures>
  : unknown extends Fixtures
    ? CollectionHandles<Collections>
    : CollectionHandles<Collections> & Omit<FixtureTables<Fixtures>, keyof Collections>;

/** The value of a record's property in a row: as JSON has it but for bigints and bytes, null where it is left out. */
type CellOfProperty<Value> = unknown extends Value
  ? RowValue
  : Value extends bigint
    ? number | bigint
    : Value extends Uint8Array
      ? Uint8Array
      : JsonOf<Value>;

/** A value as JSON has it, and within documents all are. */
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

/** What is optional within a document stays so. */
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

/** Of a union of records, each is a row. Symbols are the collection's own. */
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

/** What may be given for a row: what the collection takes, all of it optional, or null. */
type GivenFor<Given> =
  ValuesIn<Given> extends infer Values
    ? Values extends unknown
      ? { readonly [Column in keyof Values & string]?: Values[Column] | null }
      : never
    : never;

type GivenColumns<Given> = Given extends { readonly columns: infer Columns extends object }
  ? Pick<GivenFor<Given>, keyof GivenFor<Given> & keyof Columns>
  : GivenFor<Given>;

/** Handles of collections by the names of their tables. */
export type CollectionHandles<Collections extends CollectionTables> = {
  readonly [Name in keyof Collections]: CollectionHandle<
    CollectionRow<Collections[Name]>,
    GivenColumns<Collections[Name]>
  >;
};

/** What the values of our own column types are in TypeScript. */
type ColumnValues = EachNamedKind<{
  /** Beyond 2^53 it is a bigint: declare such a column as BIGINT, and its type says so. */
  INTEGER: number;
  REAL: number;
  NUMERIC: number | string;
  TEXT: string;
  BOOLEAN: boolean | 0 | 1;
  JSON: JsonValue;
  ANY: JsonValue;
}>;

/** Makes the compiler ask for kinds that are missing. */
type EachNamedKind<Values extends Readonly<Record<Exclude<ColumnKind, "NONE">, unknown>>> = Values;

type ValueOf<Type> = Type extends string ? ValueOfName<Uppercase<Type>> : RowValue;

/** A type that is only known to be some text tells nothing. */
type ValueOfName<Name extends string> = string extends Name
  ? RowValue
  : Name extends keyof ColumnValues
    ? ColumnValues[Name]
    : ValueOfSqlType<Name>;

/** Types of SQL, by SQLite's rules for their affinity and in its order. */
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

/** A declared column's values, null included unless the column is NOT NULL. */
export type CellOf<Column> = Column extends string
  ? ValueOf<Column> | null
  : Column extends { readonly type: infer Type; readonly notNull: true }
    ? ValueOf<Type>
    : Column extends { readonly type: infer Type }
      ? ValueOf<Type> | null
      : RowValue;
