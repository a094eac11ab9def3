import pg from "pg";
import type { TablesAddress } from "./address.ts";
import { Kysely, PostgresDialect, type Transaction, sql } from "kysely";

/** Tables by name. Their columns are known only at run time. All values are texts. */
type AnyTables = Record<string, Record<string, string | null>>;

/** A connection pool for statements about one schema. */
export type Connection = Kysely<AnyTables>;
/** A connection of a pool, or a transaction on it. */
export type PgSession = Kysely<AnyTables> | Transaction<AnyTables>;

/** The longest waits in milliseconds, for a server that does not answer or for a lock that another program holds. */
const patience = { connect: 10_000, lock: 5_000, idle: 10_000, statement: 30_000, answer: 35_000 };

/** Makes a connection pool, which connects when it is first used. */
export function connectPool({ connection, schema }: TablesAddress): Connection {
  const pool = new pg.Pool({
    connectionString: connection,
    application_name: "backlot",
    // One connection writes, one reads changes, one reads the version, and one deletes old changes.
    max: 4,
    // The driver parses no values, since only the column's codec knows what a text means.
    types: { getTypeParser: () => String },
    keepAlive: true,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: patience.connect,
    lock_timeout: patience.lock,
    statement_timeout: patience.statement,
    // A process that hangs must not block the writes of others.
    idle_in_transaction_session_timeout: patience.idle,
    query_timeout: patience.answer,
  });
  // A statement on a broken connection fails by itself. Without these listeners, the error would also end the process.
  pool.on("error", ignore);
  pool.on("connect", (client) => void client.on("error", ignore));
  return new Kysely<AnyTables>({ dialect: new PostgresDialect({ pool }) }).withSchema(schema);
}

const turnMs = 8_000;

/**
 * Runs a transaction: `take` acquires its locks, then `act` runs. Rejects, and does nothing, if the locks take too
 * long.
 */
export async function transactSoon<Taken, Result>(
  connection: Connection,
  take: (session: PgSession) => Promise<Taken>,
  act: (session: PgSession, taken: Taken) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  let begin = ignore;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const acted = connection.transaction().execute(async (session) => {
    const taken = await take(session);
    if (isOver) throw tooLate(turnMs);
    begin();
    return act(session, taken);
  });
  try {
    await within(turnMs, Promise.race([begun, acted]));
  } catch (error) {
    isOver = true;
    // The result of a late transaction is ignored.
    acted.catch(ignore);
    throw error;
  }
  return acted;
}

/** How long PostgreSQL may take to answer, in milliseconds. */
export const answerMs = 5_000;

function tooLate(milliseconds: number): Error {
  return new Error(`no answer within ${milliseconds / 1000} seconds`);
}

/** Rejects if an answer takes longer. A later result is ignored. */
export async function within<Answer>(
  milliseconds: number,
  answer: Promise<Answer>,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate(milliseconds)), milliseconds);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function ignore(): void {}

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
  /** The schema's id, which changes if the schema is dropped and created again. */
  readonly id: string;
  /** The version. Each transaction that writes adds 1 to it. */
  readonly version: number;
  /** The oldest version whose changes are kept. */
  readonly oldest: number;
}

/** The columns of `_backlot_state` that make up a head. */
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

/** Prevents other processes from creating the schema until the transaction ends. */
export async function lockSchema(session: PgSession, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`backlot ${schema}`}, 0))`.execute(
    session,
  );
}
