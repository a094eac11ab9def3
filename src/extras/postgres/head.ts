import type { PgSession } from "./connection.ts";
import { sql } from "kysely";

/** The tables that Backlot adds to a schema. */
export const ownTables = {
  /** One row: which schema this is, and its newest version. */
  state: "_backlot_state",
  /** What each table was declared as, and the largest key that it ever had. */
  tables: "_backlot_tables",
  /** Which rows changed in which version. */
  changes: "_backlot_changes",
} as const;

/** Names that begin so are Backlot's own. */
export const ownPrefix = "_backlot_";

/** What is in the schema, in this form. Another one would have to be made anew. */
export const formatVersion = "2";

/** A schema as it is at one moment. */
export interface Head {
  /** Another one where a schema was dropped and made anew. */
  readonly id: string;
  /** One more with each transaction that writes. */
  readonly version: number;
  /** The changes of this version and all later ones are kept. */
  readonly oldest: number;
}

/** The columns of `_backlot_state` that make a head. */
const headColumns = ["id", "version", "oldest"] as const;

/** Reads a head out of its texts. */
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

/** Keeps all others from writing until the transaction ends, and gives the version that it makes. */
export async function lockHead(session: PgSession): Promise<Head> {
  const row = await session
    .updateTable(ownTables.state)
    .set({ version: sql<string>`version + 1`, writer: sql<string>`txid_current()` })
    .returning([...headColumns])
    .executeTakeFirstOrThrow();
  return headOf(row);
}

/** The profile that the schema was made for. */
export async function profileOf(session: PgSession): Promise<string> {
  const row = await session.selectFrom(ownTables.state).select("profile").executeTakeFirstOrThrow();
  return row["profile"] ?? "";
}

/** Whether Backlot has made the schema. */
export async function hasState(session: PgSession, schema: string): Promise<boolean> {
  const { rows } = await sql<{ readonly found: string | null }>`
    select to_regclass(format('%I.%I', ${schema}::text, ${ownTables.state}::text))::text as found
  `.execute(session);
  return (rows[0]?.found ?? null) !== null;
}

/** Keeps all others from making the schema until the transaction ends. */
export async function lockSchema(session: PgSession, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`backlot ${schema}`}, 0))`.execute(
    session,
  );
}
