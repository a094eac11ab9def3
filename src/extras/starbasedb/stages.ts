import { plainReply, unknownMethod } from "./plain-reply.ts";
import { bearerKey, isAcceptedKey } from "../../core/http/bearer-key.ts";
import type { Call } from "../../core/http/call.ts";
import { type Reply, asMiss, jsonReply } from "../../core/http/reply.ts";
import {
  type Plan,
  type RestStages,
  type TablesRequest,
  type WritePlan,
  answered,
} from "../../core/rest/plan.ts";
import type { WriteResult } from "../../core/store/table.ts";
import { sameName } from "./columns.ts";
import { constraintReply, serviceError, failedReply, uncaughtReply } from "./errors.ts";
import { planSelect } from "./plan-read.ts";
import { planDelete, planInsert, planUpdate } from "./plan-write.ts";
import { type StatementTarget, readStatementBody, readPath } from "./request.ts";
import { findTable } from "./system-tables.ts";

/** The stages of the observed service. */
export const starbasedbStages: RestStages = {
  cors: undefined,
  refuse: refuseOtherTokens,
  plan: planStatement,
  respond: respondToStatement,
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

/** Turns a request into the statement that the service runs for it, or into what it says without one. */
async function planStatement(request: TablesRequest): Promise<Plan> {
  const { method } = request.call;
  const target = readPath(request.path);
  if (target === undefined) return answered(asMiss(uncaughtReply("the path names no table")));
  switch (method) {
    case "GET":
      return noteMiss(planSelect(request, target), request, target);
    case "DELETE":
      return noteMiss(planDelete(request, target), request, target);
    case "POST":
    case "PUT":
    case "PATCH":
      return planWithBody(request, target, method);
    default:
      return answered(serviceError(405, "Method not allowed"));
  }
}

async function planWithBody(
  request: TablesRequest,
  target: StatementTarget,
  method: "POST" | "PUT" | "PATCH",
): Promise<Plan> {
  const body = await readStatementBody(request.call);
  if (!body.ok) return answered(body.error);
  if (method === "POST") {
    return noteMiss(planInsert(request, target.name, body.value), request, target);
  }
  const operation = method === "PUT" ? "replace" : "update";
  const plan = planUpdate(request, target, { operation, body: body.value });
  return noteMiss(plan, request, target);
}

/** The same plan; what is said of a table that there is not is marked as that. */
function noteMiss(
  plan: Plan,
  { database }: TablesRequest,
  { name }: Pick<StatementTarget, "name">,
): Plan {
  if (plan.kind !== "answered" || findTable(database, name) !== undefined) return plan;
  return answered(asMiss(plan.reply));
}

/** Answers a statement that was run: with the body as it was sent, whatever has become of it in the table. */
function respondToStatement(plan: WritePlan, result: WriteResult): Reply {
  const { operation, sent: data, table } = plan;
  if (operation === "insert") {
    if (!result.ok) return constraintReply(table.schema, result.violations);
    return jsonReply(201, { result: { message: "Resource created successfully", data } });
  }
  if (!result.ok && !isAboutNoRow(result)) return failedReply(operation);
  switch (operation) {
    case "replace":
      return jsonReply(200, { result: { message: "Resource replaced successfully", data } });
    case "update":
      return jsonReply(200, { result: { message: "Resource updated successfully", data } });
    case "delete":
      return jsonReply(200, { result: { message: "Resource deleted successfully" } });
  }
}

/** A statement that finds no row has nothing to do, and has done it. */
function isAboutNoRow({ violations }: Extract<WriteResult, { ok: false }>): boolean {
  return violations.every(({ kind }) => kind === "row-missing");
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
