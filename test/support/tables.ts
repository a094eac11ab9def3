import { type Column, plainColumn } from "../../src/core/store/schema.ts";
import type { Database, TableContents } from "../../src/core/store/database.ts";
import { MemoryTable } from "../../src/core/store/memory-table.ts";
import type { Row } from "../../src/core/store/value.ts";

/** A column with everything optional left out. */
export function column(
  name: string,
  type: string,
  extra: Partial<Omit<Column, "name" | "type">> = {},
): Column {
  return { ...plainColumn(name, type), ...extra };
}

/** A table; a column is given whole, or as `name TYPE`. The primary key is `id` unless said otherwise. */
export function table(
  name: string,
  columns: readonly (Column | string)[],
  rest: { readonly rows?: readonly Row[]; readonly primaryKey?: readonly string[] } = {},
): TableContents {
  const all = columns.map((given) => {
    if (typeof given !== "string") return given;
    const [columnName = "", type = ""] = given.split(" ");
    return column(columnName, type);
  });
  const primaryKey = rest.primaryKey ?? (all.some((each) => each.name === "id") ? ["id"] : []);
  return { schema: { name, columns: all, primaryKey }, rows: rest.rows ?? [] };
}

/** A table of the store's own, whose writes are done when they return. */
export function memoryTable(database: Database, name: string): MemoryTable {
  const found = database.table(name);
  if (found instanceof MemoryTable) return found;
  throw new Error(`There is no table ${name}.`);
}
