import type { ChatMessage, JsonObject, MessageToolCall } from "./chat-request.ts";
import { asObject } from "./read.ts";

/** The conversation of a request, whose messages are of the shape that its profile asks for. */
export function readMessages(value: unknown): readonly ChatMessage[] {
  return itemsOf(value).map(readMessage);
}

function readMessage(sent: JsonObject): ChatMessage {
  const { role, content, tool_calls: calls, tool_call_id: callId, name } = sent;
  return {
    role: textOf(role) ?? "",
    text: readText(content),
    toolCalls: itemsOf(calls).map(readToolCall),
    toolCallId: textOf(callId),
    name: textOf(name),
    sent,
  };
}

function readText(content: unknown): string {
  if (typeof content === "string") return content;
  return itemsOf(content)
    .map(({ type, text }) => (type === "text" ? (textOf(text) ?? "") : ""))
    .join("");
}

function readToolCall({ id, function: called, custom }: JsonObject): MessageToolCall {
  const { name } = asObject(called) ?? asObject(custom) ?? {};
  return { id: textOf(id) ?? "", name: textOf(name) ?? "" };
}

/** The objects of an array; none for anything else. */
function itemsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map((item) => asObject(item) ?? {}) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
