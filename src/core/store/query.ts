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
