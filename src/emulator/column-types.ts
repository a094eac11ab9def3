import type { JsonValue } from "../store/row.ts";

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

/** A declared column's values, null included unless the column is NOT NULL. */
export type CellOf<Column> = Column extends string
  ? ValueOf<Column> | null
  : Column extends { readonly type: infer Type; readonly notNull: true }
    ? ValueOf<Type>
    : Column extends { readonly type: infer Type }
      ? ValueOf<Type> | null
      : JsonValue;
