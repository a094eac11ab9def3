import { jsonReply, type Reply } from "../http/reply.ts";
import type { Row } from "../store/row.ts";

/** The rows of a GET: always an array. */
export function rowsReply(rows: readonly Row[]): Reply {
  return jsonReply(200, { result: rows });
}
