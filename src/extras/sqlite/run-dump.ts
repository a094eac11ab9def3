import { parseStmt, type Stmt } from "sqlite3-parser";
import type { FixtureFile } from "../../core/fixture-set/assemble.ts";
import type { Dump, Statement } from "./dump.ts";
import { insertQuickly } from "./quick-insert.ts";
import { refuseStatement } from "./refuse-statement.ts";
import { hasEffect, runStatement } from "./run-statement.ts";
import { statementEnd } from "./statement-end.ts";
import { TokenReader, tokenId } from "./token-reader.ts";

const insert = tokenId("INSERT");
const semicolon = tokenId("SEMI");

/** Runs all statements of a file. One that is wrong is reported, and the next one is run. */
export function runDump(file: FixtureFile, dump: Dump): void {
  const begin = beginningOf(file.text);
  if (begin === undefined || refuseNul(file, begin, dump)) {
    if (begin === undefined) dump.problems.report({ file, offset: 0 }, binary);
    return;
  }
  const outcome = runStatements(file, begin, dump);
  if (outcome === undefined) return;
  if (outcome.isEmpty) dump.problems.warn({ file, offset: begin }, nothing);
  if (outcome.openAt === undefined) return;
  const message =
    "The transaction that begins here does not end: the dump is cut off. Write it anew, or add COMMIT at its end.";
  dump.problems.report({ file, offset: outcome.openAt }, message);
}

interface Outcome {
  /** Whether nothing of it can be seen in the tables. */
  readonly isEmpty: boolean;
  /** Where a transaction begins that does not end. */
  readonly openAt: number | undefined;
}

/** Runs the statements from a place on. Undefined: what follows one of them is not worth reading. */
function runStatements(file: FixtureFile, begin: number, dump: Dump): Outcome | undefined {
  const reader = new TokenReader(file.text, begin);
  const transaction = new Transaction();
  let isEmpty = true;
  for (let token = reader.peek(); token !== undefined; token = reader.peek()) {
    const start = begin + token.span.offset;
    const statement: Statement = { dump, file, start };
    if (token.type === semicolon || token.type === insert) reader.take();
    if (token.type === semicolon) continue;
    if (token.type === insert && insertQuickly(reader, statement)) {
      isEmpty = false;
      continue;
    }
    const { end, parsed } = runParsed(statement);
    if (end === undefined) return undefined;
    if (parsed !== undefined) transaction.note(parsed, start);
    isEmpty &&= parsed !== undefined && !hasEffect(parsed);
    reader.skipTo(end);
  }
  return { isEmpty, openAt: transaction.openAt };
}

const nothing =
  "There is no table and no row in this dump. Write it anew: sqlite3 app.db .dump > app.sql";

const binary =
  "This is a SQLite database, not a dump of one. Write the dump: sqlite3 app.db .dump > app.sql";

const signature = "SQLite format 3\0";

/**
 * Where the SQL begins. StarbaseDB writes the signature of database files in front of its dumps; editors write a byte
 * order mark. Undefined for what is a database itself.
 */
function beginningOf(text: string): number | undefined {
  const first = text.startsWith("\uFEFF") ? 1 : 0;
  if (!text.startsWith(signature, first)) return first;
  const end = first + signature.length;
  return text.charAt(end) === "\n" || text.startsWith("\r\n", end) ? end : undefined;
}

/** To SQLite a NUL is the end of the text, so that the rest would be lost without a word. */
function refuseNul(file: FixtureFile, from: number, dump: Dump): boolean {
  const offset = file.text.indexOf("\0", from);
  if (offset === -1) return false;
  const message = "The character U+0000 cannot be in SQL. In a text write it as unistr('\\u0000').";
  dump.problems.report({ file, offset }, message);
  return true;
}

/** What became of a statement: where it ends in the file; undefined where nothing behind it is worth reading. */
interface Run {
  readonly end: number | undefined;
  readonly parsed?: Stmt;
}

/** Runs the statement by the parser. */
function runParsed(context: Statement): Run {
  const { file, start } = context;
  const rest = file.text.slice(start);
  const result = parseStmt(rest, { allowTrailing: true });
  if (result.status === "ok") {
    runStatement(result.root, context);
    return { end: start + result.tail, parsed: result.root };
  }
  // What is wrong may be what follows, into which the parser looks; that is for later.
  const length = statementEnd(rest);
  const alone = parseStmt(rest.slice(0, length));
  if (alone.status === "ok") {
    runStatement(alone.root, context);
    return { end: start + length, parsed: alone.root };
  }
  const next = refuseStatement(alone, rest.slice(0, length), context);
  return { end: next === "stop" ? undefined : start + length };
}

/** Knows whether a dump was written to its end: `sqlite3 .dump` writes all of it as one transaction. */
class Transaction {
  openAt: number | undefined;

  note({ type }: Stmt, start: number): void {
    if (type === "BeginStmt") this.openAt = start;
    if (type === "CommitStmt" || type === "RollbackStmt") this.openAt = undefined;
  }
}
