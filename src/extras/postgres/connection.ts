import pg from "pg";
import type { TablesAddress } from "./address.ts";
import { Kysely, PostgresDialect, type Transaction } from "kysely";

/** Tables by name, whose columns are known only when Backlot runs. Values come and go as texts. */
type AnyTables = Record<string, Record<string, string | null>>;

/** A connection pool, whose statements are about one schema. */
export type Connection = Kysely<AnyTables>;
/** One of its connections. */
export type PgSession = Kysely<AnyTables> | Transaction<AnyTables>;

/** In milliseconds. Nobody waits for ever for a server that is gone, or for a lock that another program holds. */
const patience = { connect: 10_000, lock: 5_000, idle: 10_000, statement: 30_000, answer: 35_000 };

/** Connects when it is first used. */
export function connectPool({ connection, schema }: TablesAddress): Connection {
  const pool = new pg.Pool({
    connectionString: connection,
    application_name: "backlot",
    // One writes, one reads what is new, one asks whether there is such, and one forgets old changes.
    max: 4,
    types: { getTypeParser: () => asText },
    keepAlive: true,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: patience.connect,
    lock_timeout: patience.lock,
    statement_timeout: patience.statement,
    // A process that hangs must not keep the others from writing.
    idle_in_transaction_session_timeout: patience.idle,
    query_timeout: patience.answer,
  });
  // Whoever uses a connection that breaks is told by what fails. Without these the process would end.
  pool.on("error", ignore);
  pool.on("connect", (client) => void client.on("error", ignore));
  return new Kysely<AnyTables>({ dialect: new PostgresDialect({ pool }) }).withSchema(schema);
}

/** Each type has another text, and only the column's codec knows what it stands for. */
function asText(text: string | Buffer): string {
  return String(text);
}

const turnMs = 8_000;

/** Acts once something is taken. Who waits too long for that is told so, and does not act at all. */
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
    // Nobody waits for it any more.
    acted.catch(ignore);
    throw error;
  }
  return acted;
}

/** Who waits longer for an answer is told that PostgreSQL does not answer. */
export const answerMs = 5_000;

/** What did not come in time. */
class TooLate extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} seconds`);
  }
}

/** Rejects where an answer takes longer. What comes of it later counts for nothing. */
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
