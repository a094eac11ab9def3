import { sql } from "kysely";
import type { Connection, Session } from "./connection.ts";
import { type Head, ownTables } from "./own-tables.ts";

/** So many versions of changes are kept, and so many rows; who is further behind reads whole tables. */
const kept = { versions: 10_000, rows: 100_000 };

/** How much more there is before it is worth while to look. */
const slack = { versions: 1_000, rows: 10_000 };

/** Counts changes, and knows when there may be more of them than anybody needs. */
export class ChangeCount {
  /** Nobody knows how many there are at first. */
  #rows: number = slack.rows;

  /** Notes that so many rows changed, whoever did it. */
  add(rows: number): void {
    this.#rows += rows;
  }

  /** Whether it is time to look. It costs nothing to ask. */
  isDue({ version, oldest }: Head): boolean {
    return this.#rows >= slack.rows || version - oldest >= kept.versions + slack.versions;
  }

  /** Old changes are forgotten, or soon will be. */
  reset(): void {
    this.#rows = 0;
  }
}

/** Forgets old changes, where nobody else is doing so, or writes. Gives whether that was so. */
export function pruneBeside(connection: Connection): Promise<boolean> {
  return connection.transaction().execute(async (session) => {
    const free = await session
      .selectFrom(ownTables.state)
      .select("version")
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (free !== undefined) await prune(session, Number(free["version"]));
    return free !== undefined;
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
