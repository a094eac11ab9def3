import { sql } from "kysely";
import type { Connection, Session } from "./connection.ts";
import { type Head, ownTables } from "./own-tables.ts";

/** So many versions of changes are kept, and so many rows; who is further behind reads whole tables. */
const kept = { versions: 10_000, rows: 100_000 };

/** How many versions more there are before it is worth while to look. */
const slack = 1_000;

/** Whether there are more changes than anybody needs. It costs nothing to ask. */
export function isLong({ version, oldest }: Head): boolean {
  return version - oldest >= kept.versions + slack;
}

/** Forgets old changes, where nobody else is doing so, or writes. */
export async function pruneBeside(connection: Connection): Promise<void> {
  await connection.transaction().execute(async (session) => {
    const free = await session
      .selectFrom(ownTables.state)
      .select("version")
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (free !== undefined) await prune(session, Number(free["version"]));
  });
}

/** Forgets old changes, in a transaction that keeps all others from writing. */
export async function prune(session: Session, version: number): Promise<void> {
  const tooMany = await session
    .selectFrom(ownTables.changes)
    .select("version")
    .orderBy("version", "desc")
    .offset(kept.rows)
    .limit(1)
    .executeTakeFirst();
  const byRows = tooMany === undefined ? 0 : Number(tooMany["version"]) + 1;
  const oldest = String(Math.max(version - kept.versions, byRows));
  await session
    .deleteFrom(ownTables.changes)
    .where("version", "<", sql<string>`${oldest}::bigint`)
    .execute();
  await session
    .updateTable(ownTables.state)
    .set({ oldest: sql<string>`greatest(oldest, ${oldest}::bigint)` })
    .execute();
}
