import type { Reply } from "../../core/http/reply.ts";

/** A reply that is not JSON. The service sets no content type for texts, so the default is that of `Response`. */
export function plainReply(status: number, text: string, type = "text/plain;charset=UTF-8"): Reply {
  return {
    status,
    headers: { "content-type": type },
    body: { kind: "text", text },
    answeredBy: text,
  };
}

/** The answer of the runtime's HTTP layer to methods that it does not know. */
export const unknownMethod: Reply = plainReply(
  501,
  "ERROR: Unrecognized request method.",
  "text/plain",
);
