import type { Condition } from "../../src/core/store/operators.ts";
import type { SortKey } from "../../src/core/store/table.ts";
import type { TableSchema } from "../../src/core/store/schema.ts";
import type { SqlCell } from "./sql-cell.ts";

/** Values by column, as a write is given them; columns may be left out. */
export type GivenCells = Readonly<Record<string, SqlCell>>;

/** A query of either side. */
export interface FuzzQuery {
  readonly where: readonly Condition[];
  readonly sort: readonly SortKey[];
  /**
   * Whether the statement says which of equal rows comes first, by the row id or the primary key; else that is as
   * SQLite's plan has it or, where nobody knows the plan, in any order.
   */
  readonly ties: "as planned" | "ascending" | "descending" | "any";
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** A write by the primary key's values, in key order; to the table, or to the other one that refers to it. */
export type WriteStep = { readonly table?: "child" } & (
  | { readonly kind: "insert"; readonly given: GivenCells }
  | { readonly kind: "update"; readonly key: readonly SqlCell[]; readonly given: GivenCells }
  | { readonly kind: "replace"; readonly key: readonly SqlCell[]; readonly given: GivenCells }
  | { readonly kind: "delete"; readonly key: readonly SqlCell[] }
);

/** One thing that both sides do, and must agree about. Any of them can be left out. */
export type Step =
  | { readonly kind: "select"; readonly query: FuzzQuery }
  | WriteStep
  /** A snapshot to come back to, or a fork to go on with. */
  | { readonly kind: "save" | "fork" }
  /** Back to the last snapshot, or out of the last fork. */
  | { readonly kind: "back" }
  /** Never back to the last snapshot, or into the original of the last fork. */
  | { readonly kind: "keep" };

/** A table, the rows it is loaded with, and what is done with it. */
export interface FuzzCase {
  readonly schema: TableSchema;
  /** A table that refers to it, and has no rows at first. */
  readonly child?: TableSchema | undefined;
  /** How the store gets the rows: as values, or as the SQL that SQLite runs. */
  readonly load: "as values" | "as a dump";
  readonly rows: readonly GivenCells[];
  readonly steps: readonly Step[];
}

/** The schemas of a case's tables. */
export function schemasOf({ schema, child }: FuzzCase): readonly TableSchema[] {
  return child === undefined ? [schema] : [schema, child];
}

/** The schema of the table that a step writes to. */
export function schemaFor({ schema, child }: FuzzCase, { table }: WriteStep): TableSchema {
  return table === "child" && child !== undefined ? child : schema;
}
