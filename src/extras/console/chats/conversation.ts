import {
  inChatForm,
  inResponsesForm,
  itemsOf,
} from "../../../core/chat/forms/responses-request.ts";
import type { ConversationForm } from "../../../core/http/endpoint.ts";
import { failed, ok, type Result } from "../../../core/errors/result.ts";
import { isObject, type JsonObject, parseJsonText } from "../../../core/schema/json.ts";
import type { AnsweredCall } from "./answer.ts";
import type { ChatRun } from "./run-chat.ts";

export const roles = ["system", "user", "assistant", "tool"] as const;
export type Role = (typeof roles)[number];

/** A message of a conversation. */
export interface DraftMessage {
  readonly role: Role;
  readonly content: string;
  /** The tool calls of an assistant's message, as sent. */
  readonly toolCalls?: readonly unknown[];
  /** The id of the call that a tool's message answers. */
  readonly toolCallId?: string;
  /** The answer that an assistant's message comes from, and the index of the choice. */
  readonly answer?: { readonly run: ChatRun; readonly choice: number };
}

/** A request in the editor. */
export interface DraftChat {
  readonly model: string;
  readonly messages: readonly DraftMessage[];
  readonly stream: boolean;
  /** The form in which the request is sent. Tools and further fields are always written as for chat completions. */
  readonly form: ConversationForm;
  /** JSON text: an object with tools and further fields, or empty. */
  readonly more: string;
}

export const firstChat: DraftChat = {
  model: "",
  messages: [{ role: "user", content: "Tell me a story." }],
  stream: true,
  form: "completions",
  more: "",
};

/** The body of a request, or why it is invalid. */
export function chatBody({ form, ...draft }: DraftChat): Result<JsonObject, string> {
  const body = completionsBody(draft);
  return body.ok && form === "responses" ? ok(inResponsesForm(body.value)) : body;
}

function completionsBody({
  model,
  messages,
  stream,
  more,
}: Omit<DraftChat, "form">): Result<JsonObject, string> {
  const own = { model, messages: messages.map(wireMessage), stream };
  if (more.trim() === "") return ok(own);
  const read = parseJsonText(more);
  if (!read.ok) return failed(`Tools and further fields: ${read.error}`);
  // Fields written by hand override the others.
  if (isObject(read.value)) return ok({ ...own, ...read.value });
  return failed("Tools and further fields: this is not an object.");
}

function wireMessage({ role, content, toolCalls, toolCallId }: DraftMessage): object {
  if (role === "tool") return { role, content, tool_call_id: toolCallId ?? "" };
  if (role !== "assistant" || toolCalls === undefined) return { role, content };
  return { role, content: content === "" ? null : content, tool_calls: toolCalls };
}

/** The draft for a request's body. Fields that the editor does not have are put into the further fields. */
export function draftOfBody(body: JsonObject): DraftChat {
  const isChat = body["messages"] !== undefined;
  const { model, messages, stream, ...more } = isChat
    ? body
    : inChatForm(body, itemsOf(body["input"]));
  const read = Array.isArray(messages) ? messages.map(draftMessage) : [];
  const known = read.flatMap((message) => message ?? []);
  const isWhole = known.length === read.length;
  const rest = isWhole ? more : { messages, ...more };
  return {
    model: typeof model === "string" ? model : "",
    messages: isWhole ? known : [],
    stream: stream === true,
    form: isChat ? "completions" : "responses",
    more: fieldsText(rest),
  };
}

/** Further fields as text, as a user would type them. */
export function fieldsText(fields: object): string {
  return Object.keys(fields).length === 0 ? "" : JSON.stringify(fields, undefined, 2);
}

/** Converts a message to a draft; undefined if it contains more than the editor shows, such as images. */
function draftMessage(message: unknown): DraftMessage | undefined {
  if (!isObject(message)) return undefined;
  const { role: told, content = null, tool_calls: toolCalls, tool_call_id: id, ...more } = message;
  const role = roles.find((known) => known === told);
  const isText = content === null || typeof content === "string";
  if (role === undefined || !isText || Object.keys(more).length > 0) return undefined;
  return {
    role,
    content: content ?? "",
    ...(Array.isArray(toolCalls) ? { toolCalls } : {}),
    ...(typeof id === "string" ? { toolCallId: id } : {}),
  };
}

/**
 * The conversation continued with a choice of an answer, and the next messages to write: tool results, or the user's
 * message.
 */
export function continued(
  messages: readonly DraftMessage[],
  run: ChatRun,
  index = 0,
): readonly DraftMessage[] {
  const { content = "", toolCalls: called = [] } = run.answer.choices[index] ?? {};
  // The Responses form numbers calls among all output items, so some places are empty.
  const toolCalls = called.filter(({ name }) => name !== "");
  const said = { role: "assistant", content, answer: { run, choice: index } } as const;
  if (toolCalls.length === 0) return [...messages, said, { role: "user", content: "" }];
  const results = toolCalls.map(
    ({ id }) => ({ role: "tool", content: "", toolCallId: id }) as const,
  );
  return [...messages, { ...said, toolCalls: toolCalls.map(wireCall) }, ...results];
}

function wireCall({ id, name, arguments: given, isCustom }: AnsweredCall): object {
  if (isCustom) return { id, type: "custom", custom: { name, input: given } };
  return { id, type: "function", function: { name, arguments: given } };
}

/**
 * The name of the tool that a tool's message answers, such as `get_weather`; undefined if no earlier message called it.
 */
export function calledTool(
  messages: readonly DraftMessage[],
  { toolCallId }: DraftMessage,
): string | undefined {
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls).filter(isObject);
  const call = calls.findLast(({ id }) => id === toolCallId);
  const called = call?.["function"] ?? call?.["custom"];
  const name = isObject(called) ? called["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}
