import { didYouMean } from "../../core/errors/show.ts";
import type { FixtureFile } from "../../core/fixture-set/assemble.ts";
import { foldAscii } from "../../core/store/text-order.ts";
import { type Token, tokensOf, unquoteName } from "./sql-text.ts";
import { messageOf, select, type SqlDatabase } from "./sqlite.ts";
import type { TableFileProblems } from "./table-file-problems.ts";

/** A statement of a dump. */
export interface Statement {
  readonly file: FixtureFile;
  /** Where it begins, white space and comments before it included. */
  readonly offset: number;
}

/** The statements that created tables, indexes, views and triggers, by folded name. */
export type Statements = Map<string, Statement>;

/** What running a dump needs. */
export interface RunOptions {
  readonly database: SqlDatabase;
  readonly problems: TableFileProblems;
  readonly statements: Statements;
}

/** Runs all statements of a dump. Reports the first that SQLite refuses, and stops there. */
export function runDump(file: FixtureFile, options: RunOptions): void {
  const { database, problems, statements } = options;
  const begin = beginningOf(file.text);
  if (begin === undefined) return problems.report({ file, offset: 0 }, misnamed);
  const nul = file.text.indexOf("\0", begin);
  // SQLite takes a NUL for the end of the text, so the rest would be lost silently.
  if (nul !== -1) return problems.report({ file, offset: nul }, hasNul);
  let transaction: number | undefined;
  let offset = begin;
  try {
    for (const statement of database.iterateStatements(file.text.slice(begin))) {
      const sql = statement.getSQL();
      statement.step();
      const verb = gapAndWord.exec(sql)?.[1]?.toUpperCase();
      if (verb === "CREATE") remember({ file, offset }, database, statements);
      if (verb === "BEGIN" || verb === "SAVEPOINT") transaction = offset;
      offset += sql.length;
    }
  } catch (error) {
    return refuse(messageOf(error), { file, offset }, options);
  }
  if (transaction !== undefined && isOpen(database)) {
    problems.report(firstToken({ file, offset: transaction }), cutOff);
  }
}

const misnamed =
  "This is a SQLite database, not a dump of one. Name it .db, or write the dump: sqlite3 app.db .dump > app.sql";
const hasNul = "SQL cannot contain the character U+0000. In a text write it as unistr('\\u0000').";
const cutOff =
  "The transaction that begins here does not end: the dump is cut off. Write it again, or add COMMIT at its end.";
const signature = "SQLite format 3\0";

/**
 * Where the SQL begins. StarbaseDB writes the signature of database files in front of its dumps; editors write a byte
 * order mark. Undefined: the text is a database itself.
 */
function beginningOf(text: string): number | undefined {
  const first = text.startsWith("\uFEFF") ? 1 : 0;
  if (!text.startsWith(signature, first)) return first;
  const end = first + signature.length;
  return text.charAt(end) === "\n" || text.startsWith("\r\n", end) ? end : undefined;
}

const gapAndWord = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/|;)*([A-Za-z]+)/;

/** Remembers the statement of the newest schema entry. A table comes with its indexes, which have no text. */
function remember(statement: Statement, database: SqlDatabase, statements: Statements): void {
  const newest = "SELECT name, tbl_name, sql FROM sqlite_schema ORDER BY rowid DESC LIMIT 1";
  for (const { name, tbl_name: table, sql } of select(database, newest)) {
    const key = foldAscii(String(sql === null ? table : name));
    // CREATE TABLE IF NOT EXISTS may have created nothing.
    if (!statements.has(key) || sql === null) statements.set(key, statement);
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

/** Where a statement itself begins. */
export function firstToken({ file, offset }: Statement): Statement {
  return { file, offset: tokensOf(file.text, offset)[0]?.offset ?? offset };
}

const advice =
  " Is it a dump of another database? Load the data into a SQLite database and write its dump: sqlite3 app.db .dump > app.sql";

/** Enough of a refused statement to find what is wrong. */
const longestRead = 1_000_000;

function refuse(message: string, statement: Statement, { database, problems }: RunOptions): void {
  const { file, offset } = statement;
  const tokens = tokensOf(file.text.slice(0, offset + longestRead), offset);
  const found = culprit(message, tokens) ?? tokens[0];
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  const hint = /syntax error|unrecognized token/.test(message) ? advice : "";
  const place = { file, offset: found?.offset ?? offset };
  problems.report(place, `${sentence}${nearTable(message, database)}${hint}`);
}

const namedInMessage = /^(?:near|unrecognized token:) "(.*)"|(?:: |named )(\S.*)$/s;

/** The token that a message of SQLite is about, if only one can be meant. */
function culprit(message: string, tokens: readonly Token[]): Token | undefined {
  const [, token, name] = namedInMessage.exec(message) ?? [];
  const found = tokens.filter(({ text }) =>
    token === undefined ? unquoteName(text) === name : text === token,
  );
  return found.length === 1 ? found[0] : undefined;
}

function nearTable(message: string, database: SqlDatabase): string {
  const [, name] = /^no such table: (.*)$/s.exec(message) ?? [];
  if (name === undefined) return "";
  const tables = select(database, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  return didYouMean(
    name,
    tables.map((table) => String(table["name"])),
  );
}
