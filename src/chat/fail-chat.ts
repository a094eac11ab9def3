import type { Call } from "../http/call.ts";
import type { PlannedError } from "../http/planned-error.ts";
import { type Reply, withoutBody } from "../http/reply.ts";
import { withHeaders } from "./answer-chat.ts";
import type { ChatContext } from "./context.ts";
import { errorReply } from "./errors.ts";
import { usualKind } from "./wire/scripted-error.ts";

/** Answers a call to chat with an error, whatever it asks for. It has the type and code that are usual with its status. */
export function failChat(
  { method }: Call,
  error: PlannedError,
  context: Pick<ChatContext, "now" | "cors" | "createId">,
): Reply {
  const reply = errorReply({ ...error, ...usualKind(error.status), param: null });
  return withHeaders(method === "HEAD" ? withoutBody(reply) : reply, {
    context,
    started: context.now(),
    requestId: context.createId("req_"),
  });
}
