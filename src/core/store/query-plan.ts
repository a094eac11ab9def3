import type { Condition } from "./operators.ts";

/** How a table finds the rows of a query, as data: for people, and for tests. */
export interface QueryPlan {
  /**
   * Where rows are looked for: all of them in row id order, by row id, or by an index, which is over one
   * column, or over the columns of a unique key.
   */
  readonly access:
    | { readonly by: "scan" }
    | { readonly by: "row id"; readonly search: "equal" | "range" }
    | {
        readonly by: "index";
        readonly columns: readonly string[];
        readonly search: "equal" | "range" | "all";
      };
  /** How many rows that finds. */
  readonly candidates: number;
  /** The conditions that are still tested row by row. */
  readonly tests: readonly Condition[];
  /**
   * How they are put in order: not at all, since they are found in it; by sorting all of them; or by keeping
   * the first ones only, as many as the window ends with.
   */
  readonly order: "as found" | "sorted" | { readonly first: number };
}
