import type { Condition } from "./operators.ts";
import type { Collation } from "./schema.ts";

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
  /** All must hold. */
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
  /** The number of rows that this finds. */
  readonly candidates: number;
  /** The conditions that are tested row by row. */
  readonly tests: readonly Condition[];
  /** How rows are ordered: as found, by sorting all of them, or by keeping only the first ones. */
  readonly order: "as found" | "sorted" | { readonly first: number };
}
