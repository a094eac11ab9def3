import { plainReply, unknownMethod } from "./plain-reply.ts";
import { bearerKey, isAcceptedKey } from "../../core/http/bearer-key.ts";
import type { Call } from "../../core/http/call.ts";
import { type Reply, asMiss, jsonReply } from "../../core/http/reply.ts";
import type { Answerer } from "../../core/http/answerer.ts";
import type {
  ProfileAnswers,
  RefuseContext,
  TablesRequest,
} from "../../core/tables/profile-answers.ts";
import { tokenAdvice } from "../../core/tables/token-advice.ts";
import { cut } from "../../core/errors/show.ts";
import { sameName, columnNamed, integerKey, keyColumns, rowIdColumn } from "./columns.ts";
import {
  serviceError,
  uncaughtReply,
  constraintReply,
  failedReply,
  nameError,
  type NamePlace,
  sqliteReply,
} from "./errors.ts";
import { warnOfForeignHabits } from "./foreign-habits.ts";
import { selectRows } from "./plan-read.ts";
import { type StatementTarget, readStatementBody, readPath, refusePragma } from "./request.ts";
import { findTable, catalogueName } from "./system-tables.ts";
import { type Result, failed, ok } from "../../core/errors/result.ts";
import { isObject, type JsonObject } from "../../core/schema/json.ts";
import { conditionsOf, writeAnswerer } from "../../core/tables/rows-reply.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import type { Table, WriteResult, Written } from "../../core/store/table.ts";
import { type GivenRow, type Row, type Value, integerValue } from "../../core/store/value.ts";
import {
  bindValues,
  isTooBig,
  longestStatement,
  mostValues,
  findKey,
  keyValues,
} from "./filters.ts";
import { isName, sanitize } from "./words.ts";

/** Answers as the observed service does. */
export const starbasedbAnswers: ProfileAnswers = {
  cors: undefined,
  refuse: refuseOtherTokens,
  answer: answerStatement,
  answerElsewhere: answerOutsideTables,
  refuseUnrecorded: (message) => serviceError(404, message),
  faults: {
    // The service ignores the case of names of tables.
    isOfTable: (path, table) => {
      const target = readPath(path);
      return target !== undefined && sameName(target.name, table);
    },
    answer: ({ status, message, headers }) => jsonReply(status, { error: message }, headers),
  },
};

/** Runs the SQL statement that the service makes from a request, or gives the service's answer where it makes none. */
async function answerStatement(request: TablesRequest): Promise<Reply> {
  const target = readPath(request.path);
  if (target === undefined) return asMiss(uncaughtReply("the path names no table"));
  const { method } = request.call;
  const isKnown = findTable(request.database, target.name) !== undefined;
  const reply = await answerMethod(method, request, target);
  if (method === "GET") await warnOfForeignHabits(request, target, reply);
  return isKnown || reply.status === 405 ? reply : asMiss(reply);
}

async function answerMethod(
  method: string,
  request: TablesRequest,
  target: StatementTarget,
): Promise<Reply> {
  if (method === "GET") return selectRows(request, target);
  if (method === "DELETE") return deleteRow(request, target);
  if (method !== "POST" && method !== "PUT" && method !== "PATCH") {
    return serviceError(405, "Method not allowed");
  }
  const body = await readStatementBody(request.call);
  if (!body.ok) return body.error;
  return method === "POST"
    ? insertRow(request, target.name, body.value)
    : updateRow(request, target, { method, body: body.value });
}

/** Answers a call at a path outside the tables. Its token is accepted. */
export function answerOutsideTables(path: string): Reply {
  // The service removes `/rest` from the address, which leaves an invalid one. A path with the whole segment `/rest`
  // gets here only if the tables are mounted elsewhere.
  if (/^\/rest[^/]/.test(path))
    return uncaughtReply("the path only begins like that of the tables");
  if (path.startsWith("/api")) return plainReply(404, "Not found");
  return serviceError(400, "Unknown operation");
}

/** The methods that the runtime's HTTP layer knows. */
const knownMethods: ReadonlySet<string> = new Set(
  (
    "GET HEAD POST PUT DELETE PATCH PURGE OPTIONS TRACE COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK ACL " +
    "REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE"
  ).split(" "),
);

/**
 * Refuses calls without the token, whatever their path and method. Requests for a WebSocket have the token in the query
 * instead.
 */
function refuseOtherTokens(call: Call, { warn, ...keys }: RefuseContext): Reply | undefined {
  const { tokens } = keys;
  if (!knownMethods.has(call.method)) return unknownMethod;
  if (tokens === null) return undefined;
  if (call.headers["upgrade"] === "websocket") return refuseSocket(call, tokens);
  const key = bearerKey(call.headers["authorization"]);
  if (key !== undefined && isAcceptedKey(key, tokens)) return undefined;
  const { method, path, headers } = call;
  warn(`${method} ${cut(path)} got 401. ${tokenAdvice(headers, keys)}`, "token");
  return serviceError(401, "Unauthorized request");
}

function refuseSocket({ query }: Call, tokens: readonly string[]): Reply | undefined {
  const token = new URLSearchParams(query).get("token");
  if (token !== null && isAcceptedKey(token, tokens)) return undefined;
  return plainReply(440, "WebSocket connections are not supported at this endpoint.");
}

const messages = {
  POST: "Resource created successfully",
  PUT: "Resource replaced successfully",
  PATCH: "Resource updated successfully",
  DELETE: "Resource deleted successfully",
} as const;

/** The reply to a statement that succeeded. Its data is the request's body, unchanged, whatever the table stored. */
function writtenReply(method: keyof typeof messages, data: unknown, answeredBy: Answerer): Reply {
  const result = { message: messages[method], ...(method === "DELETE" ? {} : { data }) };
  return { answeredBy, ...jsonReply(method === "POST" ? 201 : 200, { result }) };
}

/** Whether a write was refused. A missing row is no refusal: a statement that finds no row succeeds. */
function isRefused(result: WriteResult): boolean {
  return !result.ok && result.violations.some(({ kind }) => kind !== "row-missing");
}

/** Answers a POST: `INSERT INTO table (…) VALUES (…)`. A key in the path has no effect. */
async function insertRow({ database }: TablesRequest, name: string, body: unknown): Promise<Reply> {
  if (!isObject(body)) return serviceError(400, "Invalid data format");
  const keys = Object.keys(body);
  if (keys.length === 0) return serviceError(400, "No data provided");
  const bound = bindValues(keys.map((key) => body[key]));
  if (!bound.ok) return serviceError(500, bound.error);
  const words = keys.map(sanitize);
  const syntax = refuseInsertSyntax(name, words);
  if (syntax !== undefined) return syntax;
  const table = findTable(database, name);
  if (table === undefined) return sqliteReply(`no such table: ${name}`);
  const row = insertedRow(table.schema, { name, words, values: bound.value });
  if (!row.ok) return row.error;
  if (hasNoKeyLeft(table, row.value)) return sqliteReply(noKeyLeft, "full");
  const result = await table.insert(row.value);
  if (!result.ok) return constraintReply(table.schema, result.violations);
  const written = { before: undefined, after: result.row };
  return writtenReply("POST", body, writeAnswerer("POST", table.schema, [], written));
}

const largestKey = 2n ** 63n - 1n;
const noKeyLeft = "database or disk is full";

/** Whether a table with AUTOINCREMENT has already used the largest possible key. */
function hasNoKeyLeft(table: Table, row: GivenRow): boolean {
  const key = table.schema.autoIncrement === true ? integerKey(table.schema) : undefined;
  if (key === undefined || (row[key] ?? null) !== null) return false;
  return (table.sequence ?? 0) >= largestKey || table.get([integerValue(largestKey)]) !== undefined;
}

interface InsertValues {
  /** The table's name in the statement. */
  readonly name: string;
  readonly words: readonly string[];
  readonly values: readonly Value[];
}

/** The row from given columns and values. */
function insertedRow(
  schema: TableSchema,
  { name, words, values }: InsertValues,
): Result<GivenRow, Reply> {
  if (schema.name === catalogueName) {
    return failed(sqliteReply(`table ${catalogueName} may not be modified`));
  }
  const rowId = rowIdColumn(schema);
  const row = new Map<string, Value>();
  for (const [index, word] of words.entries()) {
    const column = columnNamed(schema, word);
    if (column === undefined) {
      return failed(sqliteReply(`table ${name} has no column named ${word}`));
    }
    // If a column is named twice, its first value counts; for the row id, the last one does.
    if (column === rowId || !row.has(column)) row.set(column, values[index] ?? null);
  }
  if (isTooBig(values)) return failed(sqliteReply("string or blob too big", "tooBig"));
  return ok(Object.fromEntries(row));
}

/**
 * The message of SQLite's parser for `INSERT INTO table (a, b) VALUES (?, ?)`; undefined if the statement is well
 * formed. The words are sanitised, so they have one byte per character.
 */
export function refuseInsertSyntax(table: string, columns: readonly string[]): Reply | undefined {
  const head = `INSERT INTO ${table} (`;
  const text = `${head}${columns.join(", ")}) VALUES (`;
  if (text.length + placeholdersLength(columns.length) > longestStatement) {
    return sqliteReply("statement too long", "tooBig");
  }
  const offset = "INSERT INTO ".length;
  const tablePlace = { word: table, offset, next: "(", nextOffset: head.length - 1 };
  const places = [tablePlace, ...columnPlaces(columns, head.length)];
  const wrong = places.find(({ word }) => !isName(word));
  if (wrong !== undefined) return sqliteReply(nameError(wrong));
  if (columns.length <= mostValues) return undefined;
  const variable = text.length + mostValues * "?, ".length;
  return sqliteReply(`too many SQL variables at offset ${variable}`);
}

function placeholdersLength(count: number): number {
  return "?".length * count + ", ".length * (count - 1) + ")".length;
}

function columnPlaces(columns: readonly string[], start: number): readonly NamePlace[] {
  let offset = start;
  return columns.map((word, index) => {
    const next = index === columns.length - 1 ? ")" : ",";
    const place = { word, offset, next, nextOffset: offset + word.length };
    offset += word.length + ", ".length;
    return place;
  });
}

/** A request to change a row, besides its path. */
interface ChangeRequest {
  readonly method: "PUT" | "PATCH";
  readonly body: unknown;
}

/**
 * Answers a PUT or a PATCH, which both become `UPDATE table SET a = ?, b = ? WHERE key = ?`. A PUT sets the key, too,
 * if the body has it.
 */
async function updateRow(
  { database }: TablesRequest,
  { name, key }: StatementTarget,
  { method, body }: ChangeRequest,
): Promise<Reply> {
  const refused = refusePragma(name);
  if (refused !== undefined) return refused;
  const table = findTable(database, name);
  const columns = table === undefined ? [] : keyColumns(table.schema);
  const found = keyOfChange(columns, key, body);
  if (!found.ok) return found.error;
  if (!isObject(body)) return serviceError(400, "Invalid data format");
  if (Object.keys(body).length === 0) return serviceError(400, "No data provided");
  const isSet = (sent: string): boolean => method === "PUT" || !columns.includes(sent);
  const set = Object.keys(body).filter(isSet);
  if (set.length === 0) return serviceError(400, "No updatable data provided");
  const before = rowOf(table, found.value);
  const result = await change(table, found.value, { name, body, set });
  if (table === undefined || result === undefined || isRefused(result)) return failedReply(method);
  const written = result.ok ? { before, after: result.row } : undefined;
  return writtenReply(method, body, writeAnswerer(method, table.schema, [...found.value], written));
}

/** The row with a key, as it is before a write. */
function rowOf(table: Table | undefined, key: ReadonlyMap<string, unknown>): Row | undefined {
  return key.size === 0 ? undefined : table?.select({ where: conditionsOf([...key]), limit: 1 })[0];
}

/** The key of the row to change: the one in the path, else in the body, which may be any JSON. */
function keyOfChange(
  columns: readonly string[],
  inPath: string | undefined,
  body: unknown,
): ReturnType<typeof findKey> {
  const [first] = columns;
  const isInPath = columns.length === 1 && inPath !== undefined;
  if (body === null && first !== undefined && !isInPath) {
    return failed(serviceError(500, `Cannot read properties of null (reading '${first}')`));
  }
  return findKey(columns, inPath, (column) => Reflect.get(Object(body), column));
}

interface Change {
  readonly name: string;
  readonly body: JsonObject;
  /** The keys of the body whose columns are set. */
  readonly set: readonly string[];
}

/** Changes rows. Undefined: SQLite refuses the statement. */
function change(
  table: Table | undefined,
  key: ReadonlyMap<string, unknown>,
  { name, body, set }: Change,
): Written | undefined {
  const values = table === undefined || !isName(name) ? undefined : keyValues(table.schema, key);
  const bound = bindValues(set.map((column) => body[column]));
  if (table === undefined || values === undefined || !bound.ok) return undefined;
  if (set.length + key.size > mostValues || isTooBig(bound.value)) return undefined;
  const changes = readChanges(table.schema, set.map(sanitize), bound.value);
  return changes && table.update(values, changes);
}

/** Reads the columns and values to set. If a column is named twice, its last value counts. */
function readChanges(
  schema: TableSchema,
  words: readonly string[],
  values: readonly Value[],
): GivenRow | undefined {
  const changes: (readonly [string, Value])[] = [];
  for (const [index, word] of words.entries()) {
    const column = isName(word) ? columnNamed(schema, word) : undefined;
    if (column === undefined) return undefined;
    changes.push([column, values[index] ?? null]);
  }
  return Object.fromEntries(changes);
}

/** Answers a DELETE: `DELETE FROM table WHERE key = ?`. The key is in the path, which cannot hold a composite one. */
async function deleteRow(
  { database }: TablesRequest,
  { name, key }: StatementTarget,
): Promise<Reply> {
  const refused = refusePragma(name);
  if (refused !== undefined) return refused;
  const table = findTable(database, name);
  const columns = table === undefined ? [] : keyColumns(table.schema);
  const found = findKey(columns, key, () => undefined);
  if (!found.ok) return found.error;
  const values = table === undefined ? undefined : keyValues(table.schema, found.value);
  if (table === undefined || values === undefined || !isName(name)) return failedReply("DELETE");
  const result = await table.delete(values);
  if (isRefused(result)) return failedReply("DELETE");
  const written = result.ok ? { before: result.row, after: undefined } : undefined;
  const answeredBy = writeAnswerer("DELETE", table.schema, [...found.value], written);
  return writtenReply("DELETE", undefined, answeredBy);
}
