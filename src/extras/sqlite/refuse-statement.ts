import type { ParseDiagnostic, ParseStmtErr } from "sqlite3-parser";
import { counted } from "../../core/errors/counted.ts";
import { nearestName } from "../../core/errors/nearest-name.ts";
import { showText } from "../../core/errors/show.ts";
import { foreignDialect } from "./dialect.ts";
import type { Statement } from "./dump.ts";
import { unquoteName } from "./sql-names.ts";
import { TokenReader } from "./token-reader.ts";
import { unevenRow } from "./uneven-row.ts";

/**
 * Reports a statement that the parser does not understand. Tells whether to go on behind it: nothing that follows a
 * statement of another database is worth a word.
 */
export function refuseStatement(
  { errors }: ParseStmtErr,
  text: string,
  statement: Statement,
): "go on" | "stop" {
  const { dump, file, start } = statement;
  const report = (offset: number, message: string): void =>
    dump.problems.report({ file, offset: start + offset }, message);
  const [error] = errors;
  if (error === undefined) return "go on";
  // Whatever is wrong with a table, it is not wrong to name it later.
  const name = tableName(text);
  if (name !== undefined && dump.table(name) === undefined) dump.addMissing(name);
  const row = error.message.includes("same number of terms") ? unevenRow(text) : undefined;
  if (row !== undefined) {
    const message = `The row has ${counted(row.count, "value")}, but the one before it has ${row.expected}.`;
    report(row.offset, message);
    return "go on";
  }
  const dialect = foreignDialect(text);
  if (dialect !== undefined) {
    const message = `This is not a dump of SQLite: ${showText(dialect.word)} is SQL of ${dialect.name}. ${advice}`;
    report(dialect.offset, message);
    return "stop";
  }
  report(error.span.offset, mistypedWord(error, text) ?? describe(error));
  return "go on";
}

const advice =
  "Load the data into a SQLite database and write its dump: sqlite3 app.db .dump > app.sql";

/** The words that statements of dumps begin with. */
const firstWords =
  "ALTER ANALYZE BEGIN COMMIT CREATE DELETE DROP INSERT PRAGMA REPLACE SELECT UPDATE".split(" ");

function mistypedWord({ span }: ParseDiagnostic, text: string): string | undefined {
  const [word = ""] = /^\w+/.exec(text) ?? [];
  const near = span.offset === 0 ? nearestName(word, firstWords) : undefined;
  if (near === undefined || near === word.toUpperCase()) return undefined;
  return `No statement begins with ${showText(word)}. Did you mean "${near}"?`;
}

/** SQLite's words, and the parser's hint. */
function describe({ message, token, hints = [] }: ParseDiagnostic): string {
  // A token may be the rest of the file.
  const shown = token && message.replace(`"${token.text}"`, () => showText(token.text));
  const hint = hints[0]?.message.replace(/,? \.\.\.$/, "");
  const sentences = [shown ?? message, ...(hint === undefined ? [] : [hint])];
  return sentences.map((words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`).join(" ");
}

const wordsBeforeName: ReadonlySet<string> = new Set("TEMP TEMPORARY IF NOT EXISTS".split(" "));

/** The name of the table that a statement makes, as far as it can be told of one that is wrong. */
function tableName(text: string): string | undefined {
  const reader = new TokenReader(text);
  const words: string[] = [];
  for (let token = reader.take(); token !== undefined; token = reader.take()) {
    if (wordsBeforeName.has(token.text.toUpperCase())) continue;
    words.push(token.text);
    if (words.length < 3) continue;
    if (reader.peek()?.text !== ".") break;
    reader.take();
    words.pop();
  }
  const [create = "", table = "", name] = words;
  const isTable = nearestName(create, ["CREATE"]) && nearestName(table, ["TABLE"]);
  return isTable === undefined || name === undefined ? undefined : unquoteName(name);
}
