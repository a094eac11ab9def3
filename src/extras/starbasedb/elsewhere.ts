import type { Reply } from "../../core/http/reply.ts";
import { errorReply, uncaughtReply } from "./errors.ts";
import { plainReply } from "./plain-reply.ts";

/** Answers a call that has the token, at a path which is not that of the tables. */
export function answerElsewhere(path: string): Reply {
  // The service cuts `/rest` out of the address, and what is left of it is none. A whole `/rest` comes here only where
  // the tables are mounted in another place.
  if (/^\/rest[^/]/.test(path))
    return uncaughtReply("the path only begins like that of the tables");
  if (path.startsWith("/api")) return plainReply(404, "Not found");
  return errorReply(400, "Unknown operation");
}
