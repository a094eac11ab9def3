import type { ControlContext, TableEntry } from "../../control/context.ts";
import type { Database } from "../../store/database.ts";
import type { Column } from "../../store/schema.ts";
import type { ResolvedSettings } from "../settings.ts";

/** Every table with its columns, and how many rows it has. */
export function describeTables(database: Database): readonly TableEntry[] {
  return database.names().flatMap((name) => {
    const table = database.table(name);
    if (table === undefined) return [];
    const { primaryKey, columns } = table.schema;
    return [{ name, primaryKey, columns: columns.map(describeColumn), rows: table.size }];
  });
}

function describeColumn({
  name,
  type,
  notNull,
  references,
}: Column): TableEntry["columns"][number] {
  if (references === undefined) return { name, type, notNull };
  return { name, type, notNull, references: `${references.table}.${references.column}` };
}

/** Where chat takes any key, this is one. */
const anyKey = "backlot-console";

/** A key that each interface accepts; null where it asks for none. */
export function acceptedKeys({
  tokens,
  apiKeys,
}: ResolvedSettings): ReturnType<ControlContext["keys"]> {
  return {
    rest: tokens?.[0] ?? null,
    chat: apiKeys === null ? null : (apiKeys[0] ?? anyKey),
  };
}
