import type { ColumnValues } from "../store/column-kinds.ts";
import type { JsonValue } from "../schema/json.ts";
import type { Row, RowValue, TableHandle } from "./tables.ts";

/** The general type of a literal in a fixture. */
type Widened<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value extends null
        ? null
        : JsonValue;

/** The names of the columns of all rows: rows may have different ones. */
type ColumnOf<Sample> = Sample extends unknown ? keyof Sample : never;

/** The values of a column in any row; null where a row leaves it out. */
type CellIn<Sample, Column> = Sample extends unknown
  ? Column extends keyof Sample
    ? Widened<Sample[Column]>
    : null
  : never;

/** The type of a column with only null values is unknown. */
type Known<Cell> = [Cell] extends [null] ? JsonValue : Cell;

type RowLike<Sample> = {
  readonly [Column in ColumnOf<Sample>]: Known<CellIn<Sample, Column>>;
};

/** Makes the type of the primary key non-null. */
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

/** Tables by name, of unknown types. */
export type AnyTables = Readonly<Record<string, TableHandle>>;

/** The tables of a fixture document by name, with the rows' types if known. */
export type FixtureTables<Fixtures> = Fixtures extends { readonly tables: infer Tables }
  ? // `any`, as `JSON.parse` returns it, says nothing about the tables.
    unknown extends Tables
    ? AnyTables
    : Tables extends readonly unknown[]
      ? AnyTables
      : { readonly [Name in keyof Tables]: TableHandle<RowOf<Tables[Name]>> }
  : AnyTables;

type ValueOf<Type> = Type extends string ? ValueOfName<Uppercase<Type>> : RowValue;

/** The type of a column's values by the name of its type. A name known only as `string` says nothing. */
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
