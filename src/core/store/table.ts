import type { TableSchema, Collation } from "./schema.ts";
import type { GivenRow, Row, RowId, Value } from "./value.ts";
import type { Violation } from "./violation.ts";
import type { Condition } from "./operators.ts";

/** A column to sort by. */
export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
  /** Default: the column's own. */
  readonly collate?: Collation;
}

/** The order of rows. */
export interface Sort {
  /** The first key counts most. Empty: row id order only. */
  readonly by: readonly SortKey[];
  /** Whether rows that compare equal are in descending row id order. Default: ascending. */
  readonly rowIdDescending?: boolean;
}

/** Which rows to read, and in which order: filter, then sort, then page. */
export interface Query {
  /** The conditions, which must all hold. */
  readonly where: readonly Condition[];
  /** Undefined: row id order. */
  readonly sort?: Sort | undefined;
  /** Rows to skip. Default: 0. */
  readonly offset?: number | undefined;
  /** The largest number of rows to return. Default: all. */
  readonly limit?: number | undefined;
}

/** How a table finds the rows of a query, as data. */
export interface QueryPlan {
  /** How the table looks for rows: a scan in row id order, by row id, or by an index. */
  readonly access: {
    readonly by: "scan" | "row id" | "index";
    /** The index's columns. */
    readonly columns?: readonly string[];
    readonly search?: "equal" | "range" | "all";
  };
  /** The number of rows that the access finds. */
  readonly candidates: number;
  /** The conditions that are tested row by row. */
  readonly tests: readonly Condition[];
  /** How rows are ordered: as found, by sorting all of them, or by keeping only the first ones. */
  readonly order: "as found" | "sorted" | { readonly first: number };
}

/** The result of a write: the row as stored (or deleted), or every violation. */
export type WriteResult =
  | { readonly ok: true; readonly row: Row }
  | { readonly ok: false; readonly violations: readonly Violation[] };

/**
 * A table's rows, read and written under its schema. A refused write changes nothing. Rows are frozen, and writes
 * never change a row that was handed out. Keys are values in key order.
 */
export interface Table {
  readonly schema: TableSchema;
  /** How many rows there are. */
  readonly size: number;
  /** Changes with each write; undefined where others write, too. */
  readonly version?: number;
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
