import { inChatForm, inResponsesForm } from "../../../core/chat/forms/responses-request.ts";
import type { ConversationForm } from "../../../core/http/endpoint.ts";
import {
  asObject,
  isObject,
  isPresent,
  type JsonObject,
  parseJson,
} from "../../../core/schema/json.ts";
import { type DraftChat, type DraftMessage, fieldsText, turnsIn } from "./conversation.ts";

/** A draft for the other API, and the parts that have no counterpart there. */
export interface OtherForm {
  readonly draft: DraftChat;
  /** The names of the parts that were left out. */
  readonly left: readonly string[];
}

/** Translates a conversation and its further fields to the other API. */
export function inOtherForm(given: DraftChat, form: ConversationForm): OtherForm {
  const { isText: _, ...draft } = given;
  if (draft.form === form) return { draft: given, left: [] };
  const items = draft.messages.flatMap((message) => message.items);
  return {
    draft: {
      ...draft,
      form,
      messages: form === "responses" ? inResponses(draft.messages) : inChat(draft.messages),
      more: fieldsIn(form, draft.more),
    },
    left: [...new Set(items.flatMap(form === "responses" ? onlyInChat : onlyInResponses))],
  };
}

function inResponses(messages: readonly DraftMessage[]): readonly DraftMessage[] {
  const turns = turnsIn(
    "responses",
    messages.flatMap(({ items }) => items),
  );
  return messages.map((message, index) => ({ ...message, items: turns[index]?.items ?? [] }));
}

function inChat(messages: readonly DraftMessage[]): readonly DraftMessage[] {
  return messages.flatMap((message) => {
    const { messages: made } = inChatForm({}, message.items);
    const items = Array.isArray(made) ? made.filter(isObject) : [];
    return items.length === 0 ? [] : [{ ...message, items }];
  });
}

/**
 * Further fields in the form of the other API. Fields that only one API has are kept, so that the server says that it
 * does not know them.
 */
function fieldsIn(form: ConversationForm, more: string): string {
  const fields = asObject(parseJson(more));
  if (fields === undefined) return more;
  if (form === "completions") return fieldsText(chatFields(fields));
  const { input: _, ...made } = inResponsesForm({ messages: [], ...fields });
  return fieldsText(made);
}

function chatFields(fields: JsonObject): JsonObject {
  const { text, tools, tool_choice, max_output_tokens, top_logprobs, include, ...rest } = fields;
  const made = inChatForm({ text, tool_choice, max_output_tokens, top_logprobs, include }, []);
  const fieldNames = ["tool_choice", "response_format", "max_completion_tokens", "logprobs"];
  const known = [...fieldNames, "top_logprobs"].filter((name) => Object.hasOwn(made, name));
  return {
    ...rest,
    ...Object.fromEntries(known.map((name) => [name, made[name]])),
    ...(Array.isArray(tools) ? { tools: tools.map(toolInChat) } : {}),
  };
}

/** A tool in the form of chat completions. A hosted tool has no such form, and stays as it is. */
function toolInChat(tool: unknown): unknown {
  const { tools } = inChatForm({ tools: [tool] }, []);
  return Array.isArray(tools) && tools.length > 0 ? tools[0] : tool;
}

/** The names of the parts of a message that items of Responses do not have. */
function onlyInChat(message: JsonObject): readonly string[] {
  return ["name", "audio", "function_call"].filter((name) => isPresent(message[name]));
}

const inBoth = new Set([
  "message",
  "function_call",
  "custom_tool_call",
  "function_call_output",
  "custom_tool_call_output",
  "input_text",
  "output_text",
  "text",
  "refusal",
  "input_image",
  "input_file",
]);

/** The types of an item of Responses and its parts that chat completions do not have. */
function onlyInResponses({ type = "message", content, output }: JsonObject): readonly string[] {
  const parts = [content, output].flatMap((value) => (Array.isArray(value) ? value : []));
  const types = [type, ...parts.filter(isObject).map((part) => part["type"])];
  return types.filter((one) => !inBoth.has(String(one))).map(String);
}
