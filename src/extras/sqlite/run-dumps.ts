import { atTime } from "./at-time.ts";
import { foldAscii } from "../../core/store/text-order.ts";
import { messageOf, select, type SqlDatabase, type Sqlite } from "./sqlite.ts";

/** Where a statement begins: the index of its text, and the offset in that text. */
export interface StatementPlace {
  readonly text: number;
  readonly offset: number;
}

/** The result of running dumps. It can be sent from one thread to another. */
export interface DumpRun {
  /** The database, as a file. */
  readonly bytes: Uint8Array;
  /** The names of the created entries, each with the place of its statement. */
  readonly made: readonly (StatementPlace & { readonly name: string })[];
  /** The statement that SQLite refused, why, and the tables that existed then. Later statements were not run. */
  readonly refused?: StatementPlace & {
    readonly message: string;
    readonly tables: readonly string[];
  };
  /** The statement that began a transaction that does not end. The texts after it were not run. */
  readonly open?: StatementPlace;
  /** The entries that were made outside of the database, with kind and name. */
  readonly beside: readonly (readonly [kind: string, name: string])[];
}

/** Runs dumps in one database. A statement can take any time, so a server runs dumps in another thread. */
export type RunDumps = (texts: readonly string[], now: number) => DumpRun | Promise<DumpRun>;

/** Makes a function that runs dumps synchronously, in this thread. */
export function dumpRunner(sqlite: Sqlite): (texts: readonly string[], now: number) => DumpRun {
  return (texts, now) => atTime(now, () => runAll(sqlite.empty(), texts));
}

function runAll(database: SqlDatabase, texts: readonly string[]): DumpRun {
  // Checks that are not supported are reported and left out, so rows need not meet them.
  database.run("PRAGMA ignore_check_constraints = ON");
  const made = new Map<string, StatementPlace & { readonly name: string }>();
  let stopped: Pick<DumpRun, "refused" | "open"> | undefined;
  for (const [at, sql] of texts.entries()) stopped ??= runText(database, { at, sql }, made);
  const beside = select(database, outside).map(
    ({ kind, name }) => [String(kind), String(name)] as const,
  );
  const bytes = fileOf(database, stopped !== undefined);
  database.close();
  return { bytes, made: [...made.values()], beside, ...stopped };
}

/** The database as a file. With `cut`, the rows of a transaction that did not end are in it, too. */
function fileOf(database: SqlDatabase, cut: boolean): Uint8Array {
  try {
    if (cut) database.run(isOpen(database) ? "COMMIT" : "SELECT 1");
    return database.export();
  } catch (error) {
    if (!cut) throw error;
    return new Uint8Array();
  }
}

const outside =
  "SELECT 'temporary ' || type AS kind, name FROM sqlite_temp_schema WHERE type <> 'index' UNION ALL SELECT 'attached database', name FROM pragma_database_list WHERE seq > 1";

const gapAndWord = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/|;)*([A-Za-z]+)/;

/** Runs one text. Returns why the others must not be run. */
function runText(
  database: SqlDatabase,
  { at: text, sql: all }: { readonly at: number; readonly sql: string },
  made: Map<string, StatementPlace & { readonly name: string }>,
): Pick<DumpRun, "refused" | "open"> | undefined {
  let transaction: StatementPlace | undefined;
  let offset = 0;
  try {
    for (const statement of database.iterateStatements(all)) {
      const sql = statement.getSQL();
      statement.step();
      const verb = gapAndWord.exec(sql)?.[1]?.toUpperCase();
      if (verb === "CREATE") remember({ text, offset }, database, made);
      if (verb === "BEGIN" || verb === "SAVEPOINT") transaction = { text, offset };
      offset += sql.length;
    }
  } catch (error) {
    const tables = select(database, "SELECT name FROM sqlite_schema WHERE type = 'table'");
    const names = tables.map(({ name }) => String(name));
    return { refused: { text, offset, message: messageOf(error), tables: names } };
  }
  return transaction !== undefined && isOpen(database) ? { open: transaction } : undefined;
}

/**
 * Remembers the statement that made the newest schema entry. The newest entry of a table may be an index of its
 * constraints, which has no SQL.
 */
function remember(
  place: StatementPlace,
  database: SqlDatabase,
  made: Map<string, StatementPlace & { readonly name: string }>,
): void {
  const newest = "SELECT name, tbl_name, sql FROM sqlite_schema ORDER BY rowid DESC LIMIT 1";
  for (const { name: own, tbl_name: table, sql } of select(database, newest)) {
    const name = String(sql === null ? table : own);
    const key = foldAscii(name);
    // CREATE TABLE IF NOT EXISTS may have created nothing.
    if (!made.has(key) || sql === null) made.set(key, { ...place, name });
  }
}

function isOpen(database: SqlDatabase): boolean {
  try {
    database.run("BEGIN; ROLLBACK;");
    return false;
  } catch {
    return true;
  }
}
