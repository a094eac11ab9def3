import { didYouMean } from "../../core/errors/show.ts";
import type { FixtureFile } from "../../core/fixture-set/assemble.ts";
import { foldAscii } from "../../core/store/text-order.ts";
import type { DumpRun, StatementPlace } from "./run-dumps.ts";
import { type Token, tokensOf, unquoteName } from "./sql-text.ts";
import type { TableFileProblems } from "./table-file-problems.ts";

/** A statement of a dump. */
export interface Statement {
  readonly file: FixtureFile;
  /** The offset at which the statement begins, including white space and comments before it. */
  readonly offset: number;
}

/** The statements that created tables, indexes, views and triggers, by folded name. */
export type Statements = ReadonlyMap<string, Statement>;

/** The database that dumps have made. */
export interface DumpedDatabase {
  readonly bytes: Uint8Array;
  readonly files: readonly FixtureFile[];
  readonly statements: Statements;
  readonly beside: DumpRun["beside"];
}

/** Dumps that run in one database, one after the other. */
export class Dumps {
  readonly #files: readonly FixtureFile[];
  /** The SQL of the dumps, up to the first text that is no dump. */
  readonly texts: string[] = [];
  /** The offset at which the SQL of each dump begins. */
  readonly #begins: number[] = [];
  readonly #wrong: (Statement & { readonly message: string }) | undefined;

  constructor(files: readonly FixtureFile[]) {
    this.#files = files;
    for (const file of files) {
      const begin = beginningOf(file.text);
      this.#wrong = wrongText(file, begin);
      if (begin === undefined || this.#wrong !== undefined) break;
      this.#begins.push(begin);
      this.texts.push(file.text.slice(begin));
    }
  }

  /** The database that the dumps made. Reports the first statement that SQLite refused. */
  read(
    { refused, open, made, bytes, beside }: DumpRun,
    problems: TableFileProblems,
  ): DumpedDatabase {
    // The refused statement may cause the other errors, so it alone is reported.
    if (refused !== undefined) refuse(refused, this.#at(refused), problems);
    else if (open !== undefined) problems.report(firstToken(this.#at(open)), cutOff);
    else if (this.#wrong !== undefined) problems.report(this.#wrong, this.#wrong.message);
    const statements = made.map(
      ({ name, ...place }) => [foldAscii(name), this.#at(place)] as const,
    );
    return { bytes, beside, files: this.#files, statements: new Map(statements) };
  }

  #at({ text, offset }: StatementPlace): Statement {
    const file = this.#files[text];
    if (file === undefined) throw new Error("There is no such dump.");
    return { file, offset: offset + (this.#begins[text] ?? 0) };
  }
}

/** Why a text is no dump. SQLite takes a NUL for the end of the text, so the rest would be lost silently. */
function wrongText(
  file: FixtureFile,
  begin: number | undefined,
): (Statement & { readonly message: string }) | undefined {
  if (begin === undefined) return { file, offset: 0, message: misnamed };
  const nul = file.text.indexOf("\0", begin);
  return nul === -1 ? undefined : { file, offset: nul, message: hasNul };
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

/** The place where a statement begins, after white space and comments. */
export function firstToken({ file, offset }: Statement): Statement {
  return { file, offset: tokensOf(file.text, offset)[0]?.offset ?? offset };
}

const advice =
  " Is it a dump of another database? Load the data into a SQLite database and write its dump: sqlite3 app.db .dump > app.sql";

/** The most characters of a refused statement that are read to find the mistake. */
const longestRead = 1_000_000;

function refuse(
  { message, tables }: NonNullable<DumpRun["refused"]>,
  { file, offset }: Statement,
  problems: TableFileProblems,
): void {
  const tokens = tokensOf(file.text.slice(0, offset + longestRead), offset);
  const found = culprit(message, tokens) ?? tokens[0];
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  const hint = /syntax error|unrecognized token/.test(message) ? advice : "";
  const place = { file, offset: found?.offset ?? offset };
  problems.report(place, `${sentence}${nearTable(message, tables)}${hint}`);
}

const namedInMessage = /^(?:near|unrecognized token:) "(.*)"|(?:: |named )(\S.*)$/s;

/** The token that a message of SQLite is about, if only one token can be meant. */
function culprit(message: string, tokens: readonly Token[]): Token | undefined {
  const [, token, name] = namedInMessage.exec(message) ?? [];
  const found = tokens.filter(({ text }) =>
    token === undefined ? unquoteName(text) === name : text === token,
  );
  return found.length === 1 ? found[0] : undefined;
}

function nearTable(message: string, tables: readonly string[]): string {
  const [, name] = /^no such table: (.*)$/s.exec(message) ?? [];
  return name === undefined ? "" : didYouMean(name, tables);
}
