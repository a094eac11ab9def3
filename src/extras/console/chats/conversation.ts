import { inResponsesForm } from "../../../core/chat/forms/responses-request.ts";
import { failed, ok, type Result } from "../../../core/errors/result.ts";
import type { ConversationForm } from "../../../core/http/endpoint.ts";
import {
  asObject,
  isObject,
  type JsonObject,
  parseJson,
  parseJsonText,
} from "../../../core/schema/json.ts";
import type { AnsweredCall, AnsweredChoice } from "../../../core/chat/forms/chat-answer.ts";
import type { ChatRun } from "./run-chat.ts";

/** A turn of a conversation. */
export interface DraftMessage {
  /** What is sent for the turn: a message of chat completions, or the items of Responses that belong together. */
  readonly items: readonly JsonObject[];
  /** The answer that the turn comes from, and the index of the choice. */
  readonly answer?: { readonly run: ChatRun; readonly choice: number };
}

/** A request, and the turns that were written for it. */
export interface SentChat {
  /** The answer that is arriving, or an answer that does not continue the conversation. */
  readonly run: ChatRun;
  readonly turns: readonly DraftMessage[];
}

/** A request in the editor. */
export interface DraftChat {
  readonly model: string;
  readonly messages: readonly DraftMessage[];
  readonly stream: boolean;
  /** The form of the request, and so of its items and further fields. */
  readonly form: ConversationForm;
  /**
   * Whether the input of a response was one text instead of items. The input is sent as a text again while it has
   * nothing else.
   */
  readonly isText?: boolean;
  /** JSON text: an object with tools and further fields, or empty. */
  readonly more: string;
}

export const firstChat: DraftChat = {
  model: "",
  messages: [messageOf("user", "Tell me a story.")],
  stream: true,
  form: "completions",
  more: "",
};

/** A message of one text, which has the same form in both APIs. */
export function messageOf(role: string, content: string): DraftMessage {
  return { items: [{ role, content }] };
}

/** The field that has the conversation. */
const fieldOfItems: Readonly<Record<ConversationForm, "messages" | "input">> = {
  completions: "messages",
  responses: "input",
};

/** The body of a request, or why it is invalid. */
export function chatBody(draft: DraftChat): Result<JsonObject, string> {
  const { model, stream, more } = draft;
  const own = { model, ...saidIn(draft), stream };
  if (more.trim() === "") return ok(own);
  const read = parseJsonText(more);
  if (!read.ok) return failed(`Tools and further fields: ${read.error}`);
  // Fields written by hand override the others.
  if (isObject(read.value)) return ok({ ...own, ...read.value });
  return failed("Tools and further fields: this is not an object.");
}

/** The conversation as a field of the request. A response may have none, such as one that continues another. */
function saidIn({ form, messages, isText = false }: DraftChat): JsonObject {
  const items = messages.flatMap((message) => message.items);
  if (form === "responses" && items.length === 0) return {};
  const [only, ...others] = items;
  const text = isText && others.length === 0 && only?.["role"] === "user" && only["content"];
  return { [fieldOfItems[form]]: typeof text === "string" ? text : items };
}

/** Where the turns begin that the user writes next: the results of calls at the end, or else the last turn. */
export function firstToWrite(messages: readonly DraftMessage[]): number {
  const afterCalls = messages.findLastIndex((message) => !isResult(message)) + 1;
  const next = Math.min(afterCalls, messages.length - 1);
  // After an answer nothing is written yet.
  return messages[next]?.answer === undefined ? Math.max(0, next) : messages.length;
}

/**
 * Whether a conversation goes on with an answer by itself. After a refusal or a break, what was sent can be sent again,
 * or changed.
 */
export function goesOnByItself({ outcome, answer }: ChatRun): boolean {
  return answer.choices.length > 0 && (outcome === "complete" || outcome === "aborted");
}

/** The name of the field with which the further fields replace the conversation; undefined if they do not. */
export function replacedBy({ form, more }: Pick<DraftChat, "form" | "more">): string | undefined {
  const name = fieldOfItems[form];
  return Object.hasOwn(asObject(parseJson(more)) ?? {}, name) ? name : undefined;
}

/** The draft for a request's body. Fields that the editor does not have are put into the further fields. */
export function draftOfBody(body: JsonObject): DraftChat {
  const form = body["messages"] === undefined ? "responses" : "completions";
  const field = fieldOfItems[form];
  const { model, stream, [field]: said, ...more } = body;
  const isText = form === "responses" && typeof said === "string";
  const items = isText ? [{ role: "user", content: said }] : (said ?? []);
  const isList = Array.isArray(items) && items.every(isObject);
  return {
    model: typeof model === "string" ? model : "",
    messages: isList ? turnsOf(items, form) : [],
    stream: stream === true,
    form,
    ...(isText ? { isText } : {}),
    more: fieldsText(isList ? more : { [field]: said, ...more }),
  };
}

/** Further fields as text, as a user would type them. */
export function fieldsText(fields: object): string {
  return Object.keys(fields).length === 0 ? "" : JSON.stringify(fields, undefined, 2);
}

/**
 * The turns of a conversation. Each message of chat completions is one, and so are all items of Responses that a
 * model gave in a row.
 */
function turnsOf(items: readonly JsonObject[], form: ConversationForm): readonly DraftMessage[] {
  const turns: JsonObject[][] = [];
  let isModels = false;
  for (const item of items) {
    const isMore = isModels && isOfModel(item);
    isModels = form === "responses" && isOfModel(item);
    if (isMore) turns.at(-1)?.push(item);
    else turns.push([item]);
  }
  return turns.map((turn) => ({ items: turn }));
}

/** Whether an item of Responses comes from the model: a message of the assistant, a call, or reasoning. */
function isOfModel({ role, type = "" }: JsonObject): boolean {
  return role === "assistant" || /_call$|^reasoning$/.test(String(type));
}

/** Messages of chat completions as turns of a form. */
export function turnsIn(
  form: ConversationForm,
  messages: readonly JsonObject[],
): readonly DraftMessage[] {
  if (form === "completions") return messages.map((message) => ({ items: [message] }));
  // Only the calls before a result tell whether it is one of a custom tool, so they are translated with it.
  return messages.map((_, index) => ({
    items: itemsFor(messages.slice(0, index + 1)).slice(itemsFor(messages.slice(0, index)).length),
  }));
}

function itemsFor(messages: readonly JsonObject[]): readonly JsonObject[] {
  const { input } = inResponsesForm({ messages });
  return Array.isArray(input) ? input.filter(isObject) : [];
}

/**
 * The conversation continued with a choice of an answer, and the next messages to write: tool results, or the user's
 * message.
 */
export function continued(
  { form, messages }: Pick<DraftChat, "form" | "messages">,
  run: ChatRun,
  index = 0,
): readonly DraftMessage[] {
  const choice = run.answer.choices[index];
  // The Responses form numbers calls among all output items, so some places are empty.
  const calls = choice?.toolCalls.filter(({ name }) => name !== "") ?? [];
  const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "" }));
  const next = results.length === 0 ? [{ role: "user", content: "" }] : results;
  const [said = { items: [] }, ...more] = turnsIn(form, [answeredMessage(choice, calls), ...next]);
  return [...messages, { ...said, answer: { run, choice: index } }, ...more];
}

/** An answer as the message that later requests contain. */
function answeredMessage(
  choice: AnsweredChoice | undefined,
  calls: readonly AnsweredCall[],
): JsonObject {
  const { content = "", refusal = "" } = choice ?? {};
  const isOther = calls.length > 0 || refusal !== "";
  return {
    role: "assistant",
    content: content === "" && isOther ? null : content,
    ...(refusal === "" ? {} : { refusal }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(wireCall) }),
  };
}

function wireCall({ id, name, arguments: given, isCustom }: AnsweredCall): object {
  if (isCustom) return { id, type: "custom", custom: { name, input: given } };
  return { id, type: "function", function: { name, arguments: given } };
}

/** Whether a turn is the result of a tool. */
export function isResult({ items }: DraftMessage): boolean {
  return items.some((item) => answeredCall(item) !== undefined);
}

/** The id of the call that an item answers, as the item has it; undefined for other items. */
export function answeredCall({ role, type, ...item }: JsonObject): string | undefined {
  const isOutput = typeof type === "string" && type.endsWith("_call_output");
  if (role !== "tool" && !isOutput) return undefined;
  const id = item[role === "tool" ? "tool_call_id" : "call_id"];
  return typeof id === "string" ? id : "";
}

/**
 * The name of the tool that an item answers, such as `get_weather`; undefined if no earlier message called it.
 */
export function calledTool(
  messages: readonly DraftMessage[],
  item: JsonObject,
): string | undefined {
  const id = answeredCall(item);
  const items = messages.flatMap((message) => message.items);
  const calls = items.flatMap((one) =>
    Array.isArray(one["tool_calls"]) ? one["tool_calls"].filter(isObject) : [one],
  );
  const call = calls.findLast(
    (one) => answeredCall(one) === undefined && (one["call_id"] ?? one["id"]) === id,
  );
  const { name } = asObject(call?.["function"] ?? call?.["custom"]) ?? call ?? {};
  return typeof name === "string" ? name : undefined;
}

/** The text of the last user message in a request. */
export function lastText({ messages }: DraftChat): string {
  const content = messages.at(-1)?.items.at(-1)?.["content"];
  return typeof content === "string" ? content : "";
}
