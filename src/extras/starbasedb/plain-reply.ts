import type { Reply } from "../../core/http/reply.ts";

/** A reply of the service's that is no JSON. */
export function plainReply(status: number, text: string): Reply {
  return {
    status,
    headers: { "content-type": "text/plain" },
    body: { kind: "text", text },
    answeredBy: text,
  };
}

/** What the runtime's HTTP layer says of methods that it does not know. */
export const unknownMethod: Reply = plainReply(501, "ERROR: Unrecognized request method.");
