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

const messages: Readonly<Record<WriteOperation, string>> = {
  insert: "Resource created successfully",
  replace: "Resource replaced successfully",
  update: "Resource updated successfully",
  delete: "Resource deleted successfully",
};

const nouns: Readonly<Record<WriteOperation, string>> = {
  insert: "a row into",
  replace: "a row of",
  update: "a row of",
  delete: "a row of",
};

const methods: Readonly<Record<WriteOperation, string>> = {
  insert: "POST",
  replace: "PUT",
  update: "PATCH",
  delete: "DELETE",
};

/** The answer to a write: the row as stored now, or every rule that the write would break. */
export function respond(
  operation: WriteOperation,
  schema: TableSchema,
  result: WriteResult,
): Reply {
  const method = methods[operation];
  const { name, columns, primaryKey } = schema;
  if (!result.ok) {
    const names = columns.map((column) => column.name);
    const what = `${operation} ${nouns[operation]} "${name}"`;
    return refusal(method, violationFailure(what, result.violations, names));
  }
  const message = messages[operation];
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
