import type { Query, QueryPlan } from "./query.ts";
import type { TableSchema } from "./schema.ts";
import type { GivenRow, Row, RowId, Value } from "./value.ts";
import type { Violation } from "./violation.ts";

/** The result of a write: the row as stored (or deleted), or every violation. */
export type WriteResult =
  | { readonly ok: true; readonly row: Row }
  | { readonly ok: false; readonly violations: readonly Violation[] };

/**
 * A table's rows, read and written under its schema. A refused write changes nothing. Rows are frozen, and writes
 * never change one that was handed out. Keys are values in key order.
 */
export interface Table {
  readonly schema: TableSchema;
  /** How many rows there are. */
  readonly size: number;
  /** The largest key ever generated or given, where keys are never reused (AUTOINCREMENT). */
  readonly sequence?: RowId | undefined;
  /** All rows, in row id order. */
  readonly rows: () => readonly Row[];
  /** The row with this primary key, or undefined. */
  readonly get: (key: readonly Value[]) => Row | undefined;
  /** The rows of a query, which may name only existing columns. */
  readonly select: (query: Query) => readonly Row[];
  /** How `select` would find the rows. */
  readonly explain: (query: Query) => QueryPlan;
  /** Adds a row. Columns left out get their default, else NULL; an integer primary key is generated. */
  readonly insert: (given: GivenRow) => Written;
  /** Replaces a row. Columns left out get their default, else NULL; the key's columns stay. */
  readonly replace: (key: readonly Value[], given: GivenRow) => Written;
  /** Changes some columns of a row. */
  readonly update: (key: readonly Value[], changes: GivenRow) => Written;
  /** Deletes a row. Refused while other rows refer to it. */
  readonly delete: (key: readonly Value[]) => Written;
}

/** Tables of this store write at once; others may be asynchronous. */
export type Written = WriteResult | Promise<WriteResult>;
