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

/** The answers of the observed service. */
export const starbasedbAnswers: ProfileAnswers = {
  cors: undefined,
  refuse: refuseOtherTokens,
  answer: answerStatement,
  answerElsewhere: answerOutsideTables,
  refuseUnrecorded: (message) => serviceError(404, message),
  faults: {
    // A table is named in any case, as in all that the service takes.
    isOfTable: (path, table) => {
      const target = readPath(path);
      return target !== undefined && sameName(target.name, table);
    },
    answer: ({ status, message, headers }) => jsonReply(status, { error: message }, headers),
  },
};

/** Runs the statement that the service makes of a request, or says what the service says without one. */
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

/** Answers a call that has the token, at a path which is not that of the tables. */
export function answerOutsideTables(path: string): Reply {
  // The service cuts `/rest` out of the address, and what is left of it is none. A whole `/rest` comes here only where
  // the tables are mounted in another place.
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
 * Refuses what does not have the token, whatever its path and method. Who asks for a websocket shows the token in
 * the query instead.
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
