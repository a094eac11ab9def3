import type { Condition } from "./operators.ts";
import type { Collation } from "./schema.ts";

/** One column by which rows are sorted. */
export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
  /** Default: the column's own. */
  readonly collate?: Collation;
}

/** In which order rows come. */
export interface Sort {
  /** The first key counts most. Empty: row id order only. */
  readonly by: readonly SortKey[];
  /** Whether rows that compare equal come in descending row id order. Default: ascending. */
  readonly rowIdDescending?: boolean;
}

/** Which rows to read, and in which order. First the conditions count, then the order, then the window. */
export interface Query {
  /** All must hold. */
  readonly where: readonly Condition[];
  /** Undefined: row id order. */
  readonly sort?: Sort | undefined;
  /** Rows to skip. Default 0. */
  readonly offset?: number | undefined;
  /** The most rows to return. Default: all. */
  readonly limit?: number | undefined;
}

/** How a table finds the rows of a query, as data. */
export interface QueryPlan {
  /** Where rows are looked for: all of them in row id order, by row id, or by an index. */
  readonly access: {
    readonly by: "scan" | "row id" | "index";
    /** Of an index. */
    readonly columns?: readonly string[];
    readonly search?: "equal" | "range" | "all";
  };
  /** How many rows that finds. */
  readonly candidates: number;
  /** The conditions that are still tested row by row. */
  readonly tests: readonly Condition[];
  /** How they are put in order: not at all, by sorting all of them, or by keeping the first ones only. */
  readonly order: "as found" | "sorted" | { readonly first: number };
}
