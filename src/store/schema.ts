import type { JsonValue } from "./row.ts";

/** One column of a table. */
export interface Column {
  readonly name: string;
  /** As declared: `INTEGER`, `REAL`, `NUMERIC`, `TEXT`, `BOOLEAN`, `JSON`, `ANY` or any SQL type name. */
  readonly type: string;
  readonly notNull: boolean;
  readonly unique: boolean;
  /** What a row gets that leaves the column out. Undefined: NULL. */
  readonly default: JsonValue | undefined;
  /** The column of another table (or this one) whose values are the only ones allowed here, besides NULL. */
  readonly references: { readonly table: string; readonly column: string } | undefined;
  /** `NOCASE` compares and sorts ASCII letters without their case. */
  readonly collate: "BINARY" | "NOCASE";
}

/** What a table's rows look like. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Names of the key's columns, in the order of the key. Empty when the table has no primary key. */
  readonly primaryKey: readonly string[];
}
