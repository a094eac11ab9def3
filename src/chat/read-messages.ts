import type { ChatMessage, JsonObject, MessageToolCall } from "./chat-request.ts";
import { type ChatError, chatErrors } from "./errors.ts";
import { asObject, isPresent, type Read, refused, taken } from "./read.ts";

const roles = ["system", "developer", "user", "assistant", "tool", "function"];

/** Reads the conversation of a request. */
export function readMessages(value: unknown): Read<readonly ChatMessage[]> {
  if (!isPresent(value)) return refused(chatErrors.missing("messages"));
  if (!Array.isArray(value)) return refused(chatErrors.wrongType("messages", "an array", value));
  if (value.length === 0) return refused(chatErrors.emptyArray("messages"));
  const messages: ChatMessage[] = [];
  for (const [index, item] of value.entries()) {
    const message = readMessage(item, `messages[${index}]`);
    if (!message.ok) return message;
    messages.push(message.value);
  }
  return taken(messages);
}

function readMessage(value: unknown, path: string): Read<ChatMessage> {
  const message = asObject(value);
  if (message === undefined) return refused(chatErrors.wrongType(path, "an object", value));
  const wrongRole = checkRole(message["role"], `${path}.role`);
  if (wrongRole !== undefined) return refused(wrongRole);
  const role = String(message["role"]);
  const toolCalls = readToolCalls(message["tool_calls"], `${path}.tool_calls`);
  if (!toolCalls.ok) return toolCalls;
  const text = readContent(message, role, `${path}.content`);
  if (!text.ok) return text;
  const { name, tool_call_id: callId } = message;
  if (isPresent(name) && typeof name !== "string") {
    return refused(chatErrors.wrongType(`${path}.name`, "a string", name));
  }
  if (role === "tool" && typeof callId !== "string") {
    return refused(requiredString(callId, `${path}.tool_call_id`));
  }
  return taken({
    role,
    text: text.value,
    toolCalls: toolCalls.value,
    toolCallId: typeof callId === "string" ? callId : undefined,
    name: typeof name === "string" ? name : undefined,
    sent: message,
  });
}

function checkRole(role: unknown, path: string): ChatError | undefined {
  if (typeof role !== "string") return requiredString(role, path);
  return roles.includes(role) ? undefined : chatErrors.wrongValue(path, role, roles);
}

/** The error for a value that should be a string and is not. */
function requiredString(value: unknown, path: string): ChatError {
  return isPresent(value)
    ? chatErrors.wrongType(path, "a string", value)
    : chatErrors.missing(path);
}

function readContent(message: JsonObject, role: string, path: string): Read<string> {
  const { content } = message;
  if (typeof content === "string") return taken(content);
  if (Array.isArray(content)) return readParts(content, path);
  if (isPresent(content)) {
    return refused(chatErrors.wrongType(path, "a string or an array of parts", content));
  }
  return role === "assistant" && saysOtherwise(message)
    ? taken("")
    : refused(chatErrors.missing(path));
}

/** An assistant message may have no content when it says what it has to say in another way. */
function saysOtherwise(message: JsonObject): boolean {
  return ["tool_calls", "function_call", "refusal", "audio"].some((key) => isPresent(message[key]));
}

function readParts(parts: readonly unknown[], path: string): Read<string> {
  let text = "";
  for (const [index, item] of parts.entries()) {
    const place = `${path}[${index}]`;
    const part = asObject(item);
    if (part === undefined) return refused(chatErrors.wrongType(place, "an object", item));
    const { type } = part;
    if (typeof type !== "string") return refused(requiredString(type, `${place}.type`));
    if (type !== "text") continue;
    if (typeof part["text"] !== "string") {
      return refused(requiredString(part["text"], `${place}.text`));
    }
    text += part["text"];
  }
  return taken(text);
}

function readToolCalls(value: unknown, path: string): Read<readonly MessageToolCall[]> {
  if (!isPresent(value)) return taken([]);
  if (!Array.isArray(value)) return refused(chatErrors.wrongType(path, "an array", value));
  const calls: MessageToolCall[] = [];
  for (const [index, item] of value.entries()) {
    const call = readToolCall(item, `${path}[${index}]`);
    if (!call.ok) return call;
    calls.push(call.value);
  }
  return taken(calls);
}

function readToolCall(value: unknown, path: string): Read<MessageToolCall> {
  const call = asObject(value);
  if (call === undefined) return refused(chatErrors.wrongType(path, "an object", value));
  const { id } = call;
  if (typeof id !== "string") return refused(requiredString(id, `${path}.id`));
  const called = asObject(call["function"]) ?? {};
  const { name, arguments: given } = called;
  if (typeof name !== "string") return refused(requiredString(name, `${path}.function.name`));
  if (isPresent(given) && typeof given !== "string") {
    return refused(chatErrors.wrongType(`${path}.function.arguments`, "a string", given));
  }
  return taken({ id, name });
}
