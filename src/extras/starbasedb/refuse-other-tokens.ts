import { bearerKey, isAcceptedKey } from "../../core/http/bearer-key.ts";
import type { Call } from "../../core/http/call.ts";
import type { Reply } from "../../core/http/reply.ts";
import { errorReply } from "./errors.ts";
import { plainReply, unknownMethod } from "./plain-reply.ts";

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
export function refuseOtherTokens(call: Call, tokens: readonly string[] | null): Reply | undefined {
  if (!knownMethods.has(call.method)) return unknownMethod;
  if (tokens === null) return undefined;
  if (call.headers["upgrade"] === "websocket") return refuseSocket(call, tokens);
  const key = bearerKey(call.headers["authorization"]);
  if (key !== undefined && isAcceptedKey(key, tokens)) return undefined;
  return errorReply(401, "Unauthorized request");
}

function refuseSocket({ query }: Call, tokens: readonly string[]): Reply | undefined {
  const token = new URLSearchParams(query).get("token");
  if (token !== null && isAcceptedKey(token, tokens)) return undefined;
  return plainReply(440, "WebSocket connections are not supported at this endpoint.");
}
