import { failed, ok, type Result } from "../../errors/result.ts";
import type { Call } from "../../http/call.ts";
import { asObject, type JsonObject } from "../../schema/json.ts";
import type { ChatContext } from "../context.ts";
import { type ChatError, chatErrors } from "../errors.ts";
import { type ChatModel, findChatModel, type ModelContext } from "../models.ts";
import { loadTokenizer } from "../tokens/load-tokenizer.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";
import {
  type ChatRequest,
  type GenerationOptions,
  generationOptions,
  requestOf,
} from "./chat-request.ts";
import { checkBody } from "./check-body.ts";
import { countPrompt } from "./prompt-tokens.ts";
import { receiveBody } from "./receive-body.ts";
import type { RequestRules } from "./request-rules.ts";

/** A valid request for a chat completion that its model can answer. */
export interface AdmittedRequest {
  readonly request: ChatRequest;
  /** The model id for the reply. */
  readonly model: string;
  readonly tokenizer: Tokenizer;
  readonly promptTokens: number;
  /** The request's options. `maxTokens` is at most what is left of the model's context. */
  readonly options: GenerationOptions;
  /** Reads the request again from its body, to explain its answer. Default: `requestOf`. */
  readonly readAgain?: ((body: JsonObject) => ChatRequest) | undefined;
}

/**
 * Reads a call's request, or returns its first problem, in this order: content type, JSON, missing arguments, unknown
 * ones, wrong types or values, wrong combinations, the model, the order of messages, the length.
 */
export function admitRequest(
  call: Call,
  context: AdmitContext,
): Promise<Result<AdmittedRequest, ChatError>> {
  return admitWith(call, context, (body, rules) => {
    const read = readRequest(body, rules);
    if (!read.ok) return read;
    const request = read.value;
    return ok({
      request,
      refuse: (model) =>
        rules.refuseByModel({ form: "completions", request }, model) ??
        rules.refuseOrder(request.messages),
    });
  });
}

type AdmitContext = Pick<ChatContext, "profile" | "tokenizer" | "deployment"> & ModelContext;

/** A request that is valid, whatever its model is. */
export interface ReadBody extends Pick<AdmittedRequest, "request" | "readAgain"> {
  /** The name of the argument that has the conversation. Default: `messages`. */
  readonly param?: string;
  /** Refuses what the model cannot do, and messages in a wrong order, once the model is known. */
  readonly refuse?: (model: ChatModel) => ChatError | undefined;
}

/** Admits a request in any form. `read` does the checks of that form. */
export async function admitWith(
  call: Call,
  context: AdmitContext,
  read: (body: unknown, rules: RequestRules) => Result<ReadBody, ChatError>,
): Promise<Result<AdmittedRequest, ChatError>> {
  const rules = await context.profile.rules();
  const body = await receiveBody(call, rules, context);
  if (!body.ok) return body;
  const tokenizer = await loadTokenizer(context.tokenizer);
  const valid = read(body.value, rules);
  return valid.ok ? admit(valid.value, tokenizer, context) : valid;
}

/** Admits a valid request if its model exists, and its messages are in order and fit the model's context. */
function admit(
  { request, readAgain, refuse, param = "messages" }: ReadBody,
  tokenizer: Tokenizer,
  context: ModelContext,
): Result<AdmittedRequest, ChatError> {
  const model = findChatModel(request.model, context);
  if (!model.ok) return model;
  const refused = refuse?.(model.value);
  if (refused !== undefined) return failed(refused);
  const promptTokens = countPrompt(request, tokenizer);
  const { id, contextLength: limit } = model.value;
  const { maxTokens, stops, topLogprobs } = generationOptions(request);
  const wanted = maxTokens === Infinity ? 0 : maxTokens;
  const room = limit - promptTokens;
  if (wanted > room) {
    const counts = { limit, prompt: promptTokens, completion: wanted, param };
    return failed(chatErrors.contextLengthExceeded(counts));
  }
  const options = { maxTokens: Math.min(room, maxTokens), stops, topLogprobs };
  return ok({ request, model: id, tokenizer, promptTokens, options, readAgain });
}

/** Reads a request's body, or returns its first problem. */
export function readRequest(value: unknown, rules: RequestRules): Result<ChatRequest, ChatError> {
  const body = asObject(value);
  if (body === undefined) return failed(chatErrors.notAnObject(value));
  const wrong = checkBody(rules.body, body, { missing: rules.missing });
  if (wrong !== undefined) return failed(wrong);
  const request = requestOf(body);
  const error = rules.refuse({ form: "completions", request });
  return error === undefined ? ok(request) : failed(error);
}
