import type { Schema } from "../../schema/schema.ts";
import { type ChatError, chatErrors } from "../errors.ts";
import type { ChatMessage } from "./chat-request.ts";
import type { ChatModel } from "../models.ts";
import { documentBody, openaiBody } from "./fields.ts";
import { refuseByModel, refuseByRules, type RuledRequest } from "./service-rules.ts";

/** How a profile checks a completion request. OpenAPI describes requests from it. */
export interface RequestRules {
  /** The body's fields. */
  readonly body: Schema<unknown>;
  /** The error for a missing argument. */
  readonly missing: (path: string) => ChatError;
  /** The error for a content type that is not read; undefined for any other. */
  readonly refuseMediaType: (type: string | undefined) => ChatError | undefined;
  /**
   * Refuses arguments that exclude each other or lack one that they need, and wrong schemas, in an otherwise valid
   * request.
   */
  readonly refuse: (ruled: RuledRequest) => ChatError | undefined;
  /** Refuses what the model cannot do, once the model is known. */
  readonly refuseByModel: (ruled: RuledRequest, model: ChatModel) => ChatError | undefined;
  /** Refuses messages in a wrong order, once the model is known. */
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
  refuse: () => undefined,
  refuseByModel: () => undefined,
  refuseOrder: () => undefined,
};

/** As strict as the service that defines this interface. */
export const openaiRules: RequestRules = {
  body: openaiBody,
  missing: (path) => (path === "model" ? chatErrors.noModel() : chatErrors.missing(path)),
  refuseMediaType,
  refuse: refuseByRules,
  refuseByModel,
  refuseOrder,
};

const json = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;

/** A client that names no type is assumed to send JSON. */
function refuseMediaType(type: string | undefined): ChatError | undefined {
  const named = type?.trim() ?? "";
  return named === "" || json.test(named) ? undefined : chatErrors.unsupportedMediaType(named);
}

/** Refuses tool calls that the messages right after them do not all answer, and tool messages that answer no call. */
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

/**
 * Compares calls with their answers. For a missing answer, the service names the message in its place, or the last one.
 */
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
