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
        ? JsonValue
        : Value;

type RowLike<Sample> = { [Column in keyof Sample]: Widened<Sample[Column]> };

/** The key is never null, so that it can be used as it is read. */
type WithKey<Table, Cells> = Table extends { readonly primaryKey: infer Key extends string }
  ? { [Column in keyof Cells]: Column extends Key ? NonNullable<Cells[Column]> : Cells[Column] }
  : Cells;

type RowOf<Table> = Table extends { readonly columns: infer Columns }
  ? WithKey<Table, { -readonly [Column in keyof Columns]: CellOf<Columns[Column]> }>
  : Table extends readonly (infer Sample extends object)[]
    ? RowLike<Sample>
    : Table extends { readonly rows: readonly (infer Sample extends object)[] }
      ? RowLike<Sample>
      : Row;

/** The tables of a fixture document, with the rows' types where the document tells them. */
export type TablesOf<Fixtures> = Fixtures extends { readonly tables: infer Tables }
  ? Tables extends readonly unknown[]
    ? Readonly<Record<string, TableHandle>>
    : { readonly [Name in keyof Tables]: TableHandle<RowOf<Tables[Name]>> }
  : Readonly<Record<string, TableHandle>>;
