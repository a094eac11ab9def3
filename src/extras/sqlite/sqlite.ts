import type { SqlDatabase, SqlValue } from "sql.js";

export type { SqlDatabase } from "sql.js";

/** A value in a cell of SQLite. An INTEGER is a bigint, and a number is a REAL. */
export type SqlCell = SqlValue | bigint;

/** A row of a query, by the names of its columns. */
export type SqlRow = Readonly<Record<string, SqlCell>>;

/** Opens databases in memory. */
export interface Sqlite {
  readonly empty: () => SqlDatabase;
  /** A copy of a database file: nothing is ever written to the file. */
  readonly copyOf: (bytes: Uint8Array) => SqlDatabase;
}

/** Loads SQLite itself, as WebAssembly. */
export async function loadSqlite(): Promise<Sqlite> {
  const { default: initSqlJs } = await import("sql.js");
  const { Database } = await initSqlJs();
  const open = (bytes?: Uint8Array): SqlDatabase => {
    const database = new Database(bytes);
    // No other process uses the database, and it need not survive a crash.
    database.run(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF",
    );
    return database;
  };
  return {
    empty: () => open(),
    copyOf: (bytes) => {
      const copy = bytes.slice();
      // These two bytes select a write-ahead log, which needs shared memory. The rest of the file is the same without
      // one.
      if (copy.length > 20) copy.fill(1, 18, 20);
      return open(copy);
    },
  };
}

/** The rows of a query. */
export function select(
  database: SqlDatabase,
  sql: string,
  values: readonly SqlValue[] = [],
): readonly SqlRow[] {
  const statement = database.prepare(sql);
  statement.bind(values);
  const names = statement.getColumnNames();
  const rows: SqlRow[] = [];
  while (statement.step()) {
    const cells = statement.get(null, { useBigInt: true });
    rows.push(Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null])));
  }
  statement.free();
  return rows;
}

/** A name as SQL writes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** SQLite's message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
