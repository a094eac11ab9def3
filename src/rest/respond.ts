import { jsonReply, type Reply } from "../http/reply.ts";
import type { Row } from "../store/row.ts";
import { type Failure, restErrorStatuses } from "./errors.ts";
import type { WritePlan } from "./plan.ts";

/** The rows of a GET: always an array. */
export function rowsReply(rows: readonly Row[]): Reply {
  return jsonReply(200, { result: rows });
}

const messages: Readonly<Record<WritePlan["kind"], string>> = {
  insert: "Resource created successfully",
  replace: "Resource replaced successfully",
  update: "Resource updated successfully",
  delete: "Resource deleted successfully",
};

/** The answer to a write, with the row as it is stored now. */
export function writtenReply(kind: WritePlan["kind"], row: Row): Reply {
  const message = messages[kind];
  if (kind === "delete") return jsonReply(200, { result: { message } });
  return jsonReply(kind === "insert" ? 201 : 200, { result: { message, data: row } });
}

/** A failure in the service's envelope, with the fields that this profile adds. */
export function failureReply({ code, message, hint, headers }: Failure): Reply {
  const body = { error: message, code, ...(hint === undefined ? {} : { hint }) };
  return jsonReply(restErrorStatuses[code], body, headers);
}
