import { sql } from "kysely";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import type { TablesAddress } from "./address.ts";
import type { Session } from "./connection.ts";
import type { StoredTable } from "./stored-table.ts";

/** Throws `ERR_OPTION_INVALID` where a schema has tables of these names that Backlot did not make. */
export async function refuseForeignTables(
  session: Session,
  { schema, shown }: TablesAddress,
  tables: readonly StoredTable[],
): Promise<void> {
  const { rows } = await sql<{ readonly name: string }>`
    select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = ${schema}
  `.execute(session);
  const known = new Set(tables.map(({ name }) => name));
  const foreign = rows.find(({ name }) => known.has(name));
  if (foreign === undefined) return;
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot keep tables in the schema "${schema}" of ${shown}: it has a "${foreign.name}" that Backlot did not make. ` +
      "Give another schema: ?schema=name.",
  );
}
