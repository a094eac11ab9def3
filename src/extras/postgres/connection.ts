import pg from "pg";
import type { TablesAddress } from "./address.ts";
import { Kysely, PostgresDialect, type Transaction } from "kysely";

/** Tables by name. Their columns are known only at run time. All values are texts. */
type AnyTables = Record<string, Record<string, string | null>>;

/** A connection pool for statements about one schema. */
export type Connection = Kysely<AnyTables>;
/** One of its connections. */
export type PgSession = Kysely<AnyTables> | Transaction<AnyTables>;

/** The longest waits, in milliseconds, for a server that is gone or a lock that another program holds. */
const patience = { connect: 10_000, lock: 5_000, idle: 10_000, statement: 30_000, answer: 35_000 };

/** The pool connects when it is first used. */
export function connectPool({ connection, schema }: TablesAddress): Connection {
  const pool = new pg.Pool({
    connectionString: connection,
    application_name: "backlot",
    // One connection writes, one reads changes, one reads the version, and one deletes old changes.
    max: 4,
    // The driver parses no values: only the column's codec knows what a text means.
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
  // The statement on a broken connection fails by itself. Without these listeners the process would end.
  pool.on("error", ignore);
  pool.on("connect", (client) => void client.on("error", ignore));
  return new Kysely<AnyTables>({ dialect: new PostgresDialect({ pool }) }).withSchema(schema);
}

const turnMs = 8_000;

/** Runs a transaction once it has what `take` locks. Rejects, and does nothing, if that takes too long. */
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
    if (isOver) throw new TooLate(turnMs);
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

/** After so many milliseconds PostgreSQL counts as not answering. */
export const answerMs = 5_000;

/** The error for an answer that did not come in time. */
class TooLate extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} seconds`);
  }
}

/** Rejects if an answer takes longer. A later result is ignored. */
export async function within<Answer>(
  milliseconds: number,
  answer: Promise<Answer>,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate(milliseconds)), milliseconds);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function ignore(): void {}
