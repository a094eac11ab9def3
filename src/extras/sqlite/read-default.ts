import { affinity } from "../../core/store/column-kinds.ts";
import { type Column, CurrentTime } from "../../core/store/schema.ts";
import { sqliteStorage, type StorageRules } from "../../core/store/storage-rules.ts";
import { isKnownFormat } from "../../core/store/time-text.ts";
import { integerValue, realValue, type Value } from "../../core/store/value.ts";
import { tokensOf, unquoteName } from "./sql-text.ts";
import { select, type SqlCell, type SqlDatabase } from "./sqlite.ts";

/** The values that evaluating defaults needs. */
export interface DefaultContext {
  /** A private database with a table `one_row`. */
  readonly scratch: SqlDatabase;
  readonly storage: StorageRules;
}

const nowInUtc = String.raw`\(\s*(?:(?:'now'|current_timestamp)\s*)?(?:,\s*'(?:localtime|utc)'\s*)?\)`;
const sqlTime = new RegExp(
  `^(?:current_(timestamp|date|time)|(datetime|date|time)\\s*${nowInUtc})$`,
  "i",
);
const otherNow = /^now\s*\(\s*\)$/i;
const seconds = new RegExp(
  `^(?:unixepoch\\s*${nowInUtc}|strftime\\s*\\(\\s*'%s'\\s*(?:,\\s*'now'\\s*)?\\))$`,
  "i",
);
const formatted =
  /^strftime\s*\(\s*'([^']*)'\s*(?:,\s*'now'\s*)?(?:,\s*'(?:localtime|utc)'\s*)?\)$/i;
const cast = /^cast\s*\((.*)\bas\s+(?:big)?int(?:eger)?\s*\)$/is;
const thousandfold = /^(.*)\*\s*1000$/s;

/**
 * The current time that an expression means, in any of its many spellings. Undefined: the expression means something
 * else.
 */
function timeOfInsert(expression: string): CurrentTime | undefined {
  const text = withoutBrackets(expression);
  const [, word, call = word] = sqlTime.exec(text) ?? [];
  if (call !== undefined) return namedTime(call.toLowerCase());
  if (otherNow.test(text)) return new CurrentTime("timestamp");
  if (seconds.test(text)) return new CurrentTime("seconds");
  const [, format = ""] = formatted.exec(text) ?? [];
  return isPattern(format) ? new CurrentTime(format) : calculatedTime(text);
}

function namedTime(word: string): CurrentTime {
  return new CurrentTime(word === "date" || word === "time" ? word : "timestamp");
}

/** The current time in seconds or milliseconds, from a cast to INTEGER or a product with 1000. */
function calculatedTime(text: string): CurrentTime | undefined {
  const [, inner] = cast.exec(text) ?? [];
  if (inner !== undefined) return countedOnly(timeOfInsert(inner));
  const [, second] = thousandfold.exec(text) ?? [];
  const isSeconds = second !== undefined && timeOfInsert(second)?.format === "seconds";
  return isSeconds ? new CurrentTime("milliseconds") : undefined;
}

/** The time if it is in seconds or milliseconds. A CAST to INTEGER makes no sense for other formats. */
function countedOnly(time: CurrentTime | undefined): CurrentTime | undefined {
  return time?.format === "seconds" || time?.format === "milliseconds" ? time : undefined;
}

function isPattern(format: string): format is `${string}%${string}` {
  return format.includes("%") && isKnownFormat(format);
}

/** SQLite keeps the brackets around an expression, however many there are. */
function withoutBrackets(expression: string): string {
  let text = expression.trim();
  while (text.startsWith("(") && closesAtEnd(text)) text = text.slice(1, -1).trim();
  return text;
}

function closesAtEnd(text: string): boolean {
  let depth = 0;
  const tokens = tokensOf(text);
  for (const [at, token] of tokens.entries()) {
    if (token.text === "(") depth++;
    if (token.text === ")") depth--;
    if (depth === 0) return at === tokens.length - 1;
  }
  return false;
}

/**
 * The value of a default's expression, in the form that rows have. Undefined: the expression is not constant, so each
 * row would get another value.
 */
export function readDefault(
  expression: string,
  type: string,
  context: DefaultContext,
): Column["default"] {
  const time = timeOfInsert(expression);
  if (time !== undefined) return time;
  const value = constantOf(expression, context);
  if (value === undefined || value === null) return value;
  const { storage } = context;
  const fitting = sqliteStorage.fit(value, affinity(type));
  return fitting.ok ? storage.ofDatabase(fitting.value, storage.kindOf(type)) : null;
}

function constantOf(expression: string, { scratch, storage }: DefaultContext): Value | undefined {
  try {
    if (expression.includes("(")) {
      // SQLite refuses an index on an expression that is not deterministic.
      scratch.run(`CREATE INDEX same ON one_row ((${expression}))`);
      scratch.run("DROP INDEX same");
    }
    const [row] = select(scratch, `SELECT (${expression}) AS value`);
    return cellValue(row?.["value"] ?? null, storage);
  } catch {
    const [name, ...others] = tokensOf(expression);
    // SQLite takes an unknown name for a text.
    return name === undefined || others.length > 0 ? undefined : unquoteName(name.text);
  }
}

/** The stored value of a cell in a column that converts nothing. */
export function cellValue(cell: SqlCell, storage: StorageRules): Value {
  if (typeof cell === "bigint") return integerValue(cell);
  if (typeof cell === "number") return realValue(cell);
  return cell instanceof Uint8Array ? storage.blob(cell) : cell;
}
