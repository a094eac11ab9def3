import type { Query, QueryPlan } from "./query.ts";
import type { TableSchema } from "./schema.ts";
import type { GivenRow, Row, RowId, Value } from "./value.ts";
import type { Violation } from "./violation.ts";

/** What became of a write: the row as stored (or as deleted), or everything that forbids it. */
export type WriteResult =
  | { readonly ok: true; readonly row: Row }
  | { readonly ok: false; readonly violations: readonly Violation[] };

/**
 * A table's rows, read and written under its schema. A write that is refused changes nothing. Rows are
 * frozen, and a write never changes one that was handed out. Keys are given as values in key order.
 */
export interface Table {
  readonly schema: TableSchema;
  /** How many rows there are. */
  readonly size: number;
  /** The largest key that was ever generated or given, where keys are never used again (AUTOINCREMENT). */
  readonly sequence?: RowId | undefined;
  /** All rows, in row id order. */
  readonly rows: () => readonly Row[];
  /** The row with this primary key, or undefined. */
  readonly get: (key: readonly Value[]) => Row | undefined;
  /** The rows that a query asks for. It may name existing columns only. */
  readonly select: (query: Query) => readonly Row[];
  /** How `select` would find the rows. */
  readonly explain: (query: Query) => QueryPlan;
  /** Adds a row. Columns left out get their default, else NULL; an integer primary key is generated. */
  readonly insert: (given: GivenRow) => Written;
  /** Replaces a row: columns left out get their default, else NULL, those of the key stay. */
  readonly replace: (key: readonly Value[], given: GivenRow) => Written;
  /** Changes some columns of a row. */
  readonly update: (key: readonly Value[], changes: GivenRow) => Written;
  /** Deletes a row that no other row refers to. */
  readonly delete: (key: readonly Value[]) => Written;
}

/** Tables of this store write at once; others may take their time. */
export type Written = WriteResult | Promise<WriteResult>;
