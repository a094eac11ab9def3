import { type Result, failed } from "../../core/errors/result.ts";
import type { Call } from "../../core/http/call.ts";
import type { Reply } from "../../core/http/reply.ts";
import { depthProblem } from "../../core/http/json-body.ts";
import { parseJsonText } from "../../core/schema/json.ts";
import { nameError, serviceError, sqliteReply, uncaughtReply } from "./errors.ts";
import { isPragmaArgument, sanitize } from "./words.ts";

/** The table and the row that a path names. */
export interface StatementTarget {
  /** The table's name, sanitised. */
  readonly name: string;
  /** The key as in the path, not percent-decoded. */
  readonly key: string | undefined;
}

/** Reads `/table/key`; undefined without a table. Empty and further segments are ignored. */
export function readPath(path: string): StatementTarget | undefined {
  const [name, key] = path.split("/").filter((segment) => segment !== "");
  return name === undefined ? undefined : { name: sanitize(name), key };
}

/** Decodes bodies as the runtime does: broken UTF-8 becomes U+FFFD, and a byte order mark is a character. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads a body as JSON, whatever its content type. A body that is not JSON gets the reply to an uncaught exception. */
export async function readStatementBody(call: Call): Promise<Result<unknown, Reply>> {
  const body = await call.readBody();
  if (body.kind === "too-large") return failed(serviceError(413, "Payload Too Large"));
  if (body.kind === "aborted") return failed(uncaughtReply("the body did not arrive completely"));
  const text = decoder.decode(body.bytes);
  const excess = depthProblem(text);
  if (excess !== undefined) return failed(uncaughtReply(`the body cannot be read: ${excess}`));
  const read = parseJsonText(text);
  return read.ok ? read : failed(uncaughtReply(read.error));
}

const offset = "PRAGMA table_info(".length;

/** The prefix of the runtime's own tables, which no one may read. */
const hiddenPrefix = "_cf_";

/**
 * The service's error for `PRAGMA table_info(table);`, by which it finds the primary key; undefined if the statement
 * runs, as it does even for tables that do not exist.
 */
export function refusePragma(table: string): Reply | undefined {
  if (table.startsWith(hiddenPrefix)) return sqliteReply("not authorized", "denied");
  if (isPragmaArgument(table)) return undefined;
  return sqliteReply(nameError({ word: table, offset, next: ")", nextOffset: offset }));
}
