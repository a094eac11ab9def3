import type { Call } from "../http/call.ts";
import { readJsonBody } from "../http/json-body.ts";
import type { Asked } from "./compose.ts";
import type { ChatContext } from "./context.ts";
import { chatErrors } from "./errors.ts";
import { resolveChatModel } from "./models.ts";
import { measurePrompt } from "./prompt.ts";
import { readRequest } from "./read-request.ts";
import { type Read, refused, taken } from "./read.ts";

/**
 * Reads what a call asks for, or says what is wrong with it first, in this order: content type, JSON, what is
 * missing, unknown, of a wrong type or value, what does not go together, the model, the order of messages, the
 * length.
 */
export async function admitRequest(
  call: Call,
  context: Pick<ChatContext, "profile" | "models" | "tokenizer">,
): Promise<Read<Asked>> {
  const { profile, models } = context;
  const rules = await profile.rules();
  const wrongType = rules.refuseMediaType(call.headers["content-type"]);
  if (wrongType !== undefined) return refused(wrongType);
  const body = await readBody(call);
  if (!body.ok) return body;
  const request = readRequest(body.value, rules);
  if (!request.ok) return request;
  const model = resolveChatModel(request.value.model, models);
  if (!model.ok) return model;
  const outOfOrder = rules.refuseOrder(request.value.messages);
  if (outOfOrder !== undefined) return refused(outOfOrder);
  const prompt = await measurePrompt(request.value, context);
  if (!prompt.ok) return prompt;
  return taken({ request: request.value, model: model.value, prompt: prompt.value });
}

async function readBody(call: Call): Promise<Read<unknown>> {
  const body = await readJsonBody(call);
  switch (body.kind) {
    case "json":
      return taken(body.value);
    case "malformed":
      return refused(chatErrors.notJson(body.message));
    case "too-large":
      return refused(chatErrors.bodyTooLarge(body.limit));
    case "aborted":
      return refused(chatErrors.bodyCutShort());
  }
}
