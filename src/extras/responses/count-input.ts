import type { ChatContext } from "../../core/chat/context.ts";
import { errorReply } from "../../core/chat/errors.ts";
import { admitWith } from "../../core/chat/request/admit-request.ts";
import type { Call } from "../../core/http/call.ts";
import { jsonReply, type Reply } from "../../core/http/reply.ts";
import { readResponsesRequest } from "./read-request.ts";

/** `POST /responses/input_tokens`: how many tokens a request for a response would have. */
export async function countInput(call: Call, context: ChatContext): Promise<Reply> {
  const admitted = await admitWith(call, context, (body) => readResponsesRequest(body, context));
  if (!admitted.ok) return errorReply(admitted.error, context.profile);
  const { promptTokens } = admitted.value;
  const body = { object: "response.input_tokens", input_tokens: promptTokens };
  return { ...jsonReply(200, body), answeredBy: "input tokens" };
}
