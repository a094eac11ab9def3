import { plainReply, unknownMethod } from "./plain-reply.ts";
import { bearerKey, isAcceptedKey } from "../../core/http/bearer-key.ts";
import type { Call } from "../../core/http/call.ts";
import { type Reply, asMiss, jsonReply } from "../../core/http/reply.ts";
import type { ProfileAnswers, TablesRequest } from "../../core/rest/profile-answers.ts";
import { sameName } from "./columns.ts";
import { serviceError, uncaughtReply } from "./errors.ts";
import { selectRows } from "./plan-read.ts";
import { deleteRow, insertRow, updateRow } from "./plan-write.ts";
import { type StatementTarget, readStatementBody, readPath } from "./request.ts";
import { findTable } from "./system-tables.ts";

/** Answers as the observed service does. */
export const starbasedbAnswers: ProfileAnswers = {
  cors: undefined,
  refuse: refuseOtherTokens,
  answer: answerStatement,
  answerElsewhere: answerOutsideTables,
  refuseUnrecorded: (message) => serviceError(404, message),
  faults: {
    // The service ignores the case of table names.
    isOfTable: (path, table) => {
      const target = readPath(path);
      return target !== undefined && sameName(target.name, table);
    },
    answer: ({ status, message, headers }) => jsonReply(status, { error: message }, headers),
  },
};

/** Runs the statement that the service makes from a request, or answers as the service does without one. */
async function answerStatement(request: TablesRequest): Promise<Reply> {
  const target = readPath(request.path);
  if (target === undefined) return asMiss(uncaughtReply("the path names no table"));
  const { method } = request.call;
  const isKnown = findTable(request.database, target.name) !== undefined;
  const reply = await answerMethod(method, request, target);
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

/** Answers a call with the token, at a path outside the tables. */
export function answerOutsideTables(path: string): Reply {
  // The service removes `/rest` from the address, which leaves an invalid one. A whole `/rest` comes here only if the
  // tables are mounted elsewhere.
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
 * Refuses calls without the token, whatever their path and method. Calls for a websocket have the token in the query
 * instead.
 */
function refuseOtherTokens(call: Call, tokens: readonly string[] | null): Reply | undefined {
  if (!knownMethods.has(call.method)) return unknownMethod;
  if (tokens === null) return undefined;
  if (call.headers["upgrade"] === "websocket") return refuseSocket(call, tokens);
  const key = bearerKey(call.headers["authorization"]);
  if (key !== undefined && isAcceptedKey(key, tokens)) return undefined;
  return serviceError(401, "Unauthorized request");
}

function refuseSocket({ query }: Call, tokens: readonly string[]): Reply | undefined {
  const token = new URLSearchParams(query).get("token");
  if (token !== null && isAcceptedKey(token, tokens)) return undefined;
  return plainReply(440, "WebSocket connections are not supported at this endpoint.");
}
