import type { JsonValue, Row } from "../store/row.ts";
import type { TableHandle } from "./tables.ts";

/** What the values of a declared column type are in TypeScript. */
interface ColumnValues {
  INTEGER: number;
  REAL: number;
  NUMERIC: number | string;
  TEXT: string;
  BOOLEAN: boolean | 0 | 1;
  JSON: JsonValue;
  ANY: JsonValue;
}

type ValueOf<Type> = Type extends keyof ColumnValues ? ColumnValues[Type] : JsonValue;

/** A column's values, null included unless the column is NOT NULL. */
type CellOf<Column> = Column extends string
  ? ValueOf<Column> | null
  : Column extends { readonly type: infer Type; readonly notNull: true }
    ? ValueOf<Type>
    : Column extends { readonly type: infer Type }
      ? ValueOf<Type> | null
      : JsonValue;

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

/** The tables of a fixture document, with the rows' types where the document tells them. */
export type TablesOf<Fixtures> = Fixtures extends { readonly tables: infer Tables }
  ? // Unknown where the fixtures are `any`, as those that `JSON.parse` gives.
    unknown extends Tables
    ? AnyTables
    : Tables extends readonly unknown[]
      ? AnyTables
      : { readonly [Name in keyof Tables]: TableHandle<RowOf<Tables[Name]>> }
  : AnyTables;
