import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { TablesAddress } from "./address.ts";

/** Tables by name, whose columns are known only when Backlot runs. Values come and go as texts. */
export type AnyTables = Record<string, Record<string, string | null>>;

/** A connection pool, whose statements are about one schema. */
export type Connection = Kysely<AnyTables>;
/** One of its connections. */
export type Session = Kysely<AnyTables> | Transaction<AnyTables>;

/** In milliseconds. Nobody waits for ever for a server that is gone, or for a lock that another program holds. */
const patience = { connect: 10_000, lock: 5_000, idle: 10_000, statement: 30_000, answer: 35_000 };

/** Connects when it is first used. */
export function connect({ connection, schema }: TablesAddress): Connection {
  const pool = new pg.Pool({
    connectionString: connection,
    application_name: "backlot",
    // One writes, one reads what is new, and one asks whether there is such.
    max: 3,
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

function ignore(): void {}
