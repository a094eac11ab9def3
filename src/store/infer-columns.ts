import type { GivenRow } from "./row-draft.ts";
import type { Column, TableSchema } from "./schema.ts";

/** The schema of a table that had none, from its first row. `id` is the primary key where there is one. */
export function schemaFromRow(name: string, row: GivenRow): TableSchema {
  const columns = Object.keys(row).map((column): Column => ({
    name: column,
    type: typeOf(row[column]),
    notNull: false,
    unique: false,
    default: undefined,
    references: undefined,
    collate: "BINARY",
  }));
  return { name, columns, primaryKey: Object.hasOwn(row, "id") ? ["id"] : [] };
}

function typeOf(value: unknown): string {
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) ? "INTEGER" : "REAL";
    case "string":
      return "TEXT";
    case "boolean":
      return "BOOLEAN";
    default:
      return value === null || value === undefined ? "ANY" : "JSON";
  }
}
