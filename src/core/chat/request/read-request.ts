import { failed, ok, type Result } from "../../errors/result.ts";
import type { Call } from "../../http/call.ts";
import { type JsonBody, parseBody } from "../../http/json-body.ts";
import { asObject, type JsonObject } from "../../schema/json.ts";
import type { ChatContext } from "../context.ts";
import { type ChatError, chatErrors } from "../errors.ts";
import { resolveChatModel } from "../models.ts";
import { loadTokenizer } from "../tokens/load-tokenizer.ts";
import { type ChatRequest, readMessages } from "./chat-request.ts";
import { measurePrompt, type Prompt } from "./prompt.ts";
import type { RequestRules } from "./request-rules.ts";

/** Reads a request's body, or says what is wrong with it first. */
export function readRequest(value: unknown, rules: RequestRules): Result<ChatRequest, ChatError> {
  const body = asObject(value);
  if (body === undefined) return failed(chatErrors.notAnObject(value));
  const error = rules.checkBody(body) ?? rules.refuseTogether(body);
  return error === undefined ? ok(requestOf(body)) : failed(error);
}

/** What a body asks for that is known to be valid. */
export function requestOf(body: JsonObject): ChatRequest {
  const { model, messages, stream, n } = body;
  return {
    model: typeof model === "string" ? model : "",
    messages: readMessages(messages),
    stream: stream === true || stream === 1,
    includeUsage: asObject(body["stream_options"])?.["include_usage"] === true,
    n: typeof n === "number" ? n : 1,
    tools: toolNames(body["tools"]),
    body,
  };
}

function toolNames(tools: unknown): readonly string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((item) => {
    const tool = asObject(item) ?? {};
    const name = (asObject(tool["function"]) ?? asObject(tool["custom"]))?.["name"];
    return typeof name === "string" ? [name] : [];
  });
}

/**
 * Reads what a call asks for, or says what is wrong with it first, in this order: content type, JSON, what is
 * missing, unknown, of a wrong type or value, what does not go together, the model, the order of messages, the
 * length.
 */
export async function admitRequest(
  call: Call,
  context: Pick<ChatContext, "profile" | "models" | "tokenizer">,
): Promise<Result<AdmittedRequest, ChatError>> {
  const rules = await context.profile.rules();
  const wrongType = rules.refuseMediaType(call.headers["content-type"]);
  if (wrongType !== undefined) return failed(wrongType);
  const body = readBody(parseBody(await call.readBody()));
  if (!body.ok) return body;
  const read = readRequest(body.value, rules);
  if (!read.ok) return read;
  const request = read.value;
  const model = resolveChatModel(request.model, context.models);
  if (!model.ok) return model;
  const outOfOrder = rules.refuseOrder(request.messages);
  if (outOfOrder !== undefined) return failed(outOfOrder);
  const tokenizer = await loadTokenizer(context.tokenizer);
  const prompt = measurePrompt(request, tokenizer, context);
  return prompt.ok ? ok({ request, model: model.value, prompt: prompt.value }) : prompt;
}

function readBody(body: JsonBody): Result<unknown, ChatError> {
  switch (body.kind) {
    case "json":
      return ok(body.value);
    case "malformed":
      return failed(chatErrors.notJson(body.message));
    case "too-large":
      return failed(chatErrors.bodyTooLarge(body.limit));
    case "aborted":
      return failed(chatErrors.bodyCutShort());
  }
}

/** A request, its tokens, and the id that its reply names as the model. */
export interface AdmittedRequest {
  readonly request: ChatRequest;
  readonly model: string;
  readonly prompt: Prompt;
}
