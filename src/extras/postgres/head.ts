import type { PgSession } from "./connection.ts";
import { sql } from "kysely";

/** The tables that Backlot adds to a schema. */
export const ownTables = {
  /** One row: the schema's id and its newest version. */
  state: "_backlot_state",
  /** Each table's declaration, and the largest key that it ever had. */
  tables: "_backlot_tables",
  /** Which rows changed in which version. */
  changes: "_backlot_changes",
} as const;

/** Names with this prefix are Backlot's own. */
export const ownPrefix = "_backlot_";

/** The version of the schema's format. A schema in another format has to be created again. */
export const formatVersion = "2";

/** The state of a schema at one moment. */
export interface Head {
  /** Changes if the schema is dropped and created again. */
  readonly id: string;
  /** Each transaction that writes adds one. */
  readonly version: number;
  /** The oldest version whose changes are kept. */
  readonly oldest: number;
}

/** The columns of `_backlot_state` that a head has. */
const headColumns = ["id", "version", "oldest"] as const;

/** Reads a head from its texts. */
function headOf(row: Readonly<Record<string, string | null>>): Head {
  return { id: row["id"] ?? "", version: Number(row["version"]), oldest: Number(row["oldest"]) };
}

/** The newest version. */
export async function readHead(session: PgSession): Promise<Head> {
  const row = await session
    .selectFrom(ownTables.state)
    .select([...headColumns])
    .executeTakeFirstOrThrow();
  return headOf(row);
}

/** Blocks other writers until the transaction ends. Resolves to the version that this transaction makes. */
export async function lockHead(session: PgSession): Promise<Head> {
  const row = await session
    .updateTable(ownTables.state)
    .set({ version: sql<string>`version + 1`, writer: sql<string>`txid_current()` })
    .returning([...headColumns])
    .executeTakeFirstOrThrow();
  return headOf(row);
}

/** Whether Backlot has created the schema. */
export async function hasState(session: PgSession, schema: string): Promise<boolean> {
  const { rows } = await sql<{ readonly found: string | null }>`
    select to_regclass(format('%I.%I', ${schema}::text, ${ownTables.state}::text))::text as found
  `.execute(session);
  return (rows[0]?.found ?? null) !== null;
}

/** Keeps others from creating the schema until the transaction ends. */
export async function lockSchema(session: PgSession, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`backlot ${schema}`}, 0))`.execute(
    session,
  );
}
