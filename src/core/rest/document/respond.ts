import { bearerKey, isAcceptedKey } from "../../http/bearer-key.ts";
import type { Call } from "../../http/call.ts";
import { jsonReply, type Reply } from "../../http/reply.ts";
import type { WriteResult } from "../../store/table.ts";
import type { WriteOperation, WritePlan } from "../plan.ts";
import { type RestFailure, restErrorStatuses, violationFailure } from "./errors.ts";

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

/** The answer to a write: the row as it is stored now, or every rule that the write would break. */
export function respond({ operation, name, table }: WritePlan, result: WriteResult): Reply {
  if (!result.ok) {
    const columns = table.schema.columns.map((column) => column.name);
    const what = `${operation} ${nouns[operation]} "${name}"`;
    return refusal(methods[operation], violationFailure(what, result.violations, columns));
  }
  const message = messages[operation];
  if (operation === "delete") return jsonReply(200, { result: { message } });
  return jsonReply(operation === "insert" ? 201 : 200, { result: { message, data: result.row } });
}

/** A failure in the service's envelope, with the fields that this profile adds. */
export function refusal(method: string, { code, message, hint, headers }: RestFailure): Reply {
  const body = { error: message, code, ...(hint === undefined ? {} : { hint }) };
  return { answeredBy: `${method}: ${code}`, ...jsonReply(restErrorStatuses[code], body, headers) };
}

/** Nothing else is looked at before this: neither tables nor body are reached without the token. */
export function refuseWithoutToken(
  call: Call,
  tokens: readonly string[] | null,
): Reply | undefined {
  if (tokens === null) return undefined;
  const key = bearerKey(call.headers["authorization"]);
  if (key !== undefined && isAcceptedKey(key, tokens)) return undefined;
  return refusal(call.method, { code: "unauthorized", message: "Unauthorized request" });
}
