import { asObject, isPresent, type JsonObject } from "../../schema/json.ts";
import type { Schema } from "../../schema/schema.ts";
import { type ChatError, chatErrors } from "../errors.ts";
import type { ChatMessage } from "./chat-request.ts";
import { documentBody, openaiBody } from "./fields.ts";

/** How a profile checks a completion request. OpenAPI describes requests from it. */
export interface RequestRules {
  /** The body's fields. */
  readonly body: Schema<unknown>;
  /** The error for a missing argument. */
  readonly missing: (path: string) => ChatError;
  /** Why a body of this content type is not read, or nothing. */
  readonly refuseMediaType: (type: string | undefined) => ChatError | undefined;
  /** Checks arguments that exclude or need each other, in an otherwise valid body. */
  readonly refuseTogether: (body: JsonObject) => ChatError | undefined;
  /** Checks the order of messages, once the model is known. */
  readonly refuseOrder: (messages: readonly ChatMessage[]) => ChatError | undefined;
}

/**
 * The interface as documented. Where a field's type and description contradict each other (`stream` a number,
 * `frequency_penalty` a boolean) both readings are accepted.
 */
export const documentRules: RequestRules = {
  body: documentBody,
  missing: chatErrors.missing,
  refuseMediaType: () => undefined,
  refuseTogether: () => undefined,
  refuseOrder: () => undefined,
};

/** As strict as the service that defines this interface. */
export const openaiRules: RequestRules = {
  body: openaiBody,
  missing: (path) => (path === "model" ? chatErrors.noModel() : chatErrors.missing(path)),
  refuseMediaType,
  refuseTogether,
  refuseOrder,
};

const json = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;

/** A client that names no type is assumed to send JSON. */
function refuseMediaType(type: string | undefined): ChatError | undefined {
  const named = type?.trim() ?? "";
  return named === "" || json.test(named) ? undefined : chatErrors.unsupportedMediaType(named);
}

/** Arguments that need another one, in an otherwise valid body. */
function refuseTogether(body: JsonObject): ChatError | undefined {
  return refuseAlone(body) ?? refuseToolChoice(body) ?? refuseFunctionCall(body);
}

function refuseAlone(body: JsonObject): ChatError | undefined {
  const { stream_options: options, top_logprobs: top, modalities } = body;
  if (isPresent(options) && body["stream"] !== true) {
    return chatErrors.onlyEnabled("stream_options", "stream");
  }
  if (isPresent(top) && body["logprobs"] !== true) {
    return chatErrors.onlyEnabled("top_logprobs", "logprobs");
  }
  const isSpoken = Array.isArray(modalities) && modalities.includes("audio");
  return isSpoken && !isPresent(body["audio"]) ? chatErrors.missing("audio") : undefined;
}

function refuseToolChoice(body: JsonObject): ChatError | undefined {
  const { tools, tool_choice: choice } = body;
  if (!Array.isArray(tools)) {
    const alone = ["tool_choice", "parallel_tool_calls"].find((name) => isPresent(body[name]));
    return alone === undefined ? undefined : chatErrors.onlyWithList(alone, "tools");
  }
  for (const kind of ["function", "custom"]) {
    const chosen = nameOf(asObject(choice)?.[kind]);
    const offered = tools.map((tool) => nameOf(asObject(tool)?.[kind]) ?? "");
    if (chosen !== undefined && !offered.includes(chosen)) {
      return chatErrors.notOffered("tool_choice", chosen, offered.filter(Boolean), "tools");
    }
  }
  return undefined;
}

function refuseFunctionCall(body: JsonObject): ChatError | undefined {
  const { functions, function_call: call } = body;
  if (!isPresent(call)) return undefined;
  if (!Array.isArray(functions)) return chatErrors.onlyWithList("function_call", "functions");
  const chosen = nameOf(call);
  const offered = functions.map((item) => nameOf(item) ?? "");
  return chosen === undefined || offered.includes(chosen)
    ? undefined
    : chatErrors.notOffered("function_call", chosen, offered, "functions");
}

function nameOf(value: unknown): string | undefined {
  const name = asObject(value)?.["name"];
  return typeof name === "string" ? name : undefined;
}

/** Refuses tool calls that the next messages do not all answer, and answers to no call. */
function refuseOrder(messages: readonly ChatMessage[]): ChatError | undefined {
  let index = 0;
  while (index < messages.length) {
    const message = messages[index];
    if (message?.role === "tool") return chatErrors.toolMessageWithoutCall(index);
    const calls = message?.toolCalls ?? [];
    const answers = calls.length === 0 ? [] : toolMessagesFrom(messages, index + 1);
    const error = compare(calls, answers, { start: index + 1, last: messages.length - 1 });
    if (error !== undefined) return error;
    index += 1 + answers.length;
  }
  return undefined;
}

function toolMessagesFrom(messages: readonly ChatMessage[], start: number): readonly ChatMessage[] {
  let end = start;
  while (messages[end]?.role === "tool") end += 1;
  return messages.slice(start, end);
}

/** The service names the message in the place of an answer, or the last one. */
function compare(
  calls: ChatMessage["toolCalls"],
  answers: readonly ChatMessage[],
  { start, last }: { readonly start: number; readonly last: number },
): ChatError | undefined {
  const answered = new Set(answers.map(({ toolCallId }) => toolCallId));
  const open = calls.filter(({ id }) => !answered.has(id)).map(({ id }) => id);
  if (open.length > 0) {
    return chatErrors.toolCallsWithoutMessages(Math.min(start + answers.length, last), open);
  }
  const asked: ReadonlySet<string | undefined> = new Set(calls.map(({ id }) => id));
  const stray = answers.findIndex(({ toolCallId }) => !asked.has(toolCallId));
  return stray === -1 ? undefined : chatErrors.toolMessageWithoutCall(start + stray);
}
