import type { Database } from "../../core/store/database.ts";
import type { TablesAddress } from "./address.ts";
import type { Session } from "./connection.ts";
import { createSchema, createTriggers } from "./create-schema.ts";
import { declarationOf } from "./declared-tables.ts";
import { refuseForeignTables } from "./foreign-tables.ts";
import type { Head } from "./own-tables.ts";
import type { StoredTable } from "./stored-table.ts";
import { insertRows, rowsOf, setLargestId } from "./write-rows.ts";

/** Makes the schema with a database's tables and rows in it. Rejects where somebody else has such tables there. */
export async function createTables(
  session: Session,
  database: Database,
  options: {
    readonly address: TablesAddress;
    readonly tables: readonly StoredTable[];
    readonly profile: string;
  },
): Promise<Head> {
  const { address, tables, profile } = options;
  await refuseForeignTables(session, address, tables);
  const plan = { schema: address.schema, profile, tables, declared: declarationOf };
  const head = await createSchema(session, plan);
  const states = database.snapshot().tables;
  for (const table of tables) {
    const state = states.get(table.name);
    if (state === undefined) continue;
    await insertRows(session, table, rowsOf(state));
    if (table.keepsLargestId) await setLargestId(session, table, state.largestId);
  }
  await createTriggers(session, plan);
  return head;
}
