import type { Reply } from "../../core/http/reply.ts";

/** A reply that is no JSON. The service names no type for its texts, so they have the one that `Response` gives. */
export function plainReply(status: number, text: string, type = "text/plain;charset=UTF-8"): Reply {
  return {
    status,
    headers: { "content-type": type },
    body: { kind: "text", text },
    answeredBy: text,
  };
}

/** What the runtime's HTTP layer says of methods that it does not know. */
export const unknownMethod: Reply = plainReply(
  501,
  "ERROR: Unrecognized request method.",
  "text/plain",
);
