import type { Database } from "../../core/store/database.ts";
import type { Table } from "../../core/store/table.ts";
import { sameName } from "./columns.ts";
import { systemTable } from "./system-tables.ts";

/** The table that a name means, in any case; SQLite's own ones included. */
export function findTable(database: Database, name: string): Table | undefined {
  const exact = database.table(name);
  if (exact !== undefined) return exact;
  const known = database.names().find((other) => sameName(other, name));
  return known === undefined ? systemTable(database, name) : database.table(known);
}
