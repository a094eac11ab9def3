import { planQuery } from "../../../src/core/store/plan-query.ts";
import type { Condition } from "../../../src/core/store/operators.ts";
import type { Query } from "../../../src/core/store/query.ts";
import type { TableState } from "../../../src/core/store/table-state.ts";

/** How a table finds the rows of a query. */
export interface QueryPlan {
  readonly access: {
    readonly by: "scan" | "row id" | "index";
    readonly columns?: readonly string[];
    readonly search?: "equal" | "range" | "all";
  };
  /** How many rows that finds. */
  readonly candidates: number;
  /** The conditions that are still tested row by row. */
  readonly tests: readonly Condition[];
  readonly order: "as found" | "sorted";
}

export function planOf(state: TableState, query: Query): QueryPlan {
  const { access, tests, direction } = planQuery(state, query);
  const { index, search } = access;
  const order = direction === undefined ? "sorted" : "as found";
  const rest = { candidates: access.count, tests, order } as const;
  if (index !== undefined) {
    return { access: { by: "index", columns: index.definition.columns, search }, ...rest };
  }
  return { access: search === "all" ? { by: "scan" } : { by: "row id", search }, ...rest };
}
