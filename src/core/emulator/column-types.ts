import type { ColumnKind } from "../store/column-kinds.ts";
import type { JsonValue } from "../schema/json.ts";
import type { RowValue } from "./plain-rows.ts";

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
