import { bearerKey, isAcceptedKey } from "../../http/bearer-key.ts";
import type { Call } from "../../http/call.ts";
import { type Reply, asMiss, jsonReply } from "../../http/reply.ts";
import type { TableSchema } from "../../store/schema.ts";
import type { WriteResult } from "../../store/table.ts";
import { writeAnswerer } from "../rows-reply.ts";
import {
  type RestErrorCode,
  type RestFailure,
  restErrorStatuses,
  violationFailure,
} from "./errors.ts";
import type { WriteOperation } from "./request.ts";

/** Of each operation: its method, what it does, and what it has done. */
const words: Readonly<Record<WriteOperation, readonly [string, string, string]>> = {
  insert: ["POST", "insert a row into", "created"],
  replace: ["PUT", "replace a row of", "replaced"],
  update: ["PATCH", "update a row of", "updated"],
  delete: ["DELETE", "delete a row of", "deleted"],
};

/** The answer to a write: the row as stored now, or every rule that the write would break. */
export function respond(
  operation: WriteOperation,
  schema: TableSchema,
  result: WriteResult,
): Reply {
  const [method, what, done] = words[operation];
  const { name, columns, primaryKey } = schema;
  if (!result.ok) {
    const names = columns.map((column) => column.name);
    return refusal(method, violationFailure(`${what} "${name}"`, result.violations, names));
  }
  const message = `Resource ${done} successfully`;
  const body = operation === "delete" ? { message } : { message, data: result.row };
  const status = operation === "insert" ? 201 : 200;
  // A new row was not searched for.
  const key = operation === "insert" ? [] : primaryKey;
  const values = key.map((column) => [column, result.row[column]] as const);
  return {
    answeredBy: writeAnswerer(method, schema, values),
    ...jsonReply(status, { result: body }),
  };
}

/** Failures about something that the fixtures do not have. */
const misses: ReadonlySet<RestErrorCode> = new Set(["unknown_path", "unknown_table"]);

/** A failure in the service's envelope, with this profile's additional fields. */
export function refusal(method: string, { code, message, hint, headers }: RestFailure): Reply {
  const body = { error: message, code, ...(hint === undefined ? {} : { hint }) };
  const reply = jsonReply(restErrorStatuses[code], body, headers);
  const named = { answeredBy: `${method}: ${code}`, ...reply };
  return misses.has(code) ? asMiss(named) : named;
}

/** Checked before anything else: without the token, neither tables nor body are touched. */
export function refuseWithoutToken(
  call: Call,
  tokens: readonly string[] | null,
): Reply | undefined {
  if (tokens === null) return undefined;
  const key = bearerKey(call.headers["authorization"]);
  if (key !== undefined && isAcceptedKey(key, tokens)) return undefined;
  return refusal(call.method, { code: "unauthorized", message: "Unauthorized request" });
}
