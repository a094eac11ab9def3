import { sql } from "kysely";
import type { Session } from "./connection.ts";
import { type Head, headColumns, headOf, ownTables } from "./own-tables.ts";

/** The newest version. */
export async function readHead(session: Session): Promise<Head> {
  const row = await session
    .selectFrom(ownTables.state)
    .select([...headColumns])
    .executeTakeFirstOrThrow();
  return headOf({
    id: row["id"] ?? "",
    version: row["version"] ?? "",
    oldest: row["oldest"] ?? "",
  });
}

/** Keeps all others from writing until the transaction ends, and gives the version that it makes. */
export async function takeTurn(session: Session): Promise<Head> {
  const row = await session
    .updateTable(ownTables.state)
    .set({ version: sql<string>`version + 1`, writer: sql<string>`txid_current()` })
    .returning([...headColumns])
    .executeTakeFirstOrThrow();
  return headOf({
    id: row["id"] ?? "",
    version: row["version"] ?? "",
    oldest: row["oldest"] ?? "",
  });
}

/** The profile that the schema was made for. */
export async function profileOf(session: Session): Promise<string> {
  const row = await session.selectFrom(ownTables.state).select("profile").executeTakeFirstOrThrow();
  return row["profile"] ?? "";
}

/** Whether Backlot has made the schema. */
export async function hasState(session: Session, schema: string): Promise<boolean> {
  const { rows } = await sql<{ readonly found: string | null }>`
    select to_regclass(format('%I.%I', ${schema}::text, ${ownTables.state}::text))::text as found
  `.execute(session);
  return (rows[0]?.found ?? null) !== null;
}

/** Keeps all others from making the schema until the transaction ends. */
export async function lockSchema(session: Session, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`backlot ${schema}`}, 0))`.execute(
    session,
  );
}
