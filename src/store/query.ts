import type { Condition } from "./filter.ts";

/** In which order rows come. Rows that compare equal come in row id order, in both directions. */
export interface Sort {
  /** Columns, the first one first; or the row id. */
  readonly by: readonly string[] | "row id";
  readonly descending: boolean;
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
