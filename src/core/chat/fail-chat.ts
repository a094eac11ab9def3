import type { Call } from "../http/call.ts";
import type { PlannedError } from "../http/planned-error.ts";
import { type Reply, withoutBody } from "../http/reply.ts";
import { withHeaders } from "./answer-chat.ts";
import type { ChatContext } from "./context.ts";
import { type ChatError, chatErrors, errorReply } from "./errors.ts";
import { usualKind } from "./wire/scripted-error.ts";

/** Answers a call to chat with an error, whatever it asks for. It has the type and code that are usual with its status. */
export function failChat(call: Call, error: PlannedError, context: FailContext): Reply {
  return failWith({ ...error, ...usualKind(error.status), param: null }, call, context);
}

/** Refuses a call to chat that is not recorded. The message says so. */
export function refuseUnrecordedChat(call: Call, message: string, context: FailContext): Reply {
  return failWith(chatErrors.notRecorded(message), call, context);
}

type FailContext = Pick<ChatContext, "now" | "cors" | "createId">;

function failWith(error: ChatError, { method }: Call, context: FailContext): Reply {
  const reply = errorReply(error);
  return withHeaders(method === "HEAD" ? withoutBody(reply) : reply, {
    context,
    started: context.now(),
    requestId: context.createId("req_"),
  });
}
