import type { DeclaredIndex } from "../../core/store/schema.ts";

/** An index that has a statement of its own. Dumps tell of it. */
export interface StatedIndex extends DeclaredIndex {
  readonly name: string;
  readonly sql: string;
  /** Its place among all tables and indexes that its dump has. */
  readonly position: number;
}

/** Whether an index was made by a statement of its own, rather than by a constraint. */
export function isStated(index: DeclaredIndex): index is StatedIndex {
  return "sql" in index && typeof index.sql === "string";
}
