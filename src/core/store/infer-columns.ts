import { inferredKind } from "./column-kinds.ts";
import type { GivenRow } from "./row-draft.ts";
import type { Column, TableSchema } from "./schema.ts";

/** A column of which nothing is known but its name and type. */
export function plainColumn(name: string, type: string): Column {
  return {
    name,
    type,
    notNull: false,
    unique: false,
    default: undefined,
    references: undefined,
    collate: "BINARY",
  };
}

/** The columns that rows have, in the order in which they are first named, with types that fit all rows. */
export function inferColumns(rows: readonly GivenRow[]): readonly Column[] {
  const types = new Map<string, string | undefined>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      types.set(name, widen(types.get(name), inferredKind(value)));
    }
  }
  return [...types].map(([name, type]) => plainColumn(name, type ?? "ANY"));
}

/** The schema of a table that had none, from its first row. `id` is the primary key where there is one. */
export function schemaFromRow(name: string, row: GivenRow): TableSchema {
  const primaryKey = Object.hasOwn(row, "id") ? ["id"] : [];
  return { name, columns: inferColumns([row]), primaryKey };
}

/** The narrowest type for values of both. */
function widen(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || left === right) return right;
  if (right === undefined) return left;
  const areNumbers = [left, right].every((type) => type === "INTEGER" || type === "REAL");
  return areNumbers ? "REAL" : "ANY";
}
