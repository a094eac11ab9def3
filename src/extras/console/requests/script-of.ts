import { requestInChatForm } from "../../../core/chat/forms/responses-request.ts";
import { askedChat } from "../../../core/emulator/journal/asked-chat.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { ScriptReply, ScriptToolCall } from "../../../core/chat/scripts/script.ts";
import { isObject, type JsonValue, parseJsonText } from "../../../core/schema/json.ts";
import { type AnsweredCall, noAnswerYet, withChunk } from "../../../core/chat/forms/chat-answer.ts";
import { entryKey } from "./summary.ts";
import { receivedFrames } from "../parts/stream.ts";

/** The keys of a script's `when`. */
type Conditions = Readonly<Record<string, unknown>>;

/** A script that repeats the answer to a chat. */
export interface ScriptDraft {
  readonly name: string;
  readonly when: Conditions;
  readonly reply: ScriptReply;
}

/**
 * A script for a chat. It has those of the possible conditions that distinguish the chat from the other requests.
 * Undefined for a request that is not a chat.
 */
export function scriptOf(
  entry: JournalEntry,
  others: readonly JournalEntry[],
): ScriptDraft | undefined {
  const conditions = conditionsOf(entry);
  if (conditions === undefined) return undefined;
  const [[first, said] = ["user", ""] as const, ...further] = Object.entries(conditions);
  const when: Record<string, unknown> = { [first]: said };
  const rivals = others.flatMap((other) => {
    const its = conditionsOf(other);
    return its === undefined || entryKey(other) === entryKey(entry) ? [] : [its];
  });
  for (const rival of rivals) {
    if (!Object.keys(when).every((name) => isSame(rival[name], when[name]))) continue;
    const [name, value] = further.find(([key, own]) => !isSame(rival[key], own)) ?? [];
    if (name !== undefined) when[name] = value;
  }
  return { name: nameOf(entry), when, reply: replyOf(entry) };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The conditions that a script could have for a chat, the most specific first. */
function conditionsOf(entry: JournalEntry): Conditions | undefined {
  const { body } = entry;
  const chat = askedChat(entry.path, body);
  if (chat === null || !isObject(body)) return undefined;
  const { messages: sent } = requestInChatForm(entry.path, body);
  const messages = Array.isArray(sent) ? sent.filter(isObject) : [];
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const last = messages.at(-1);
  const result = last?.["role"] === "tool" ? last["content"] : undefined;
  return {
    ...(typeof result === "string" ? { toolResult: { content: { equals: result } } } : {}),
    user: { equals: chat.said },
    turn,
    ...(chat.model === null ? {} : { model: chat.model }),
    stream: chat.stream,
  };
}

/**
 * A name from the user's first words. If a script has answered, the new name sorts before it, so that the new script is
 * tried first, even as a file.
 */
function nameOf(entry: JournalEntry): string {
  const words =
    askedChat(entry.path, entry.body)
      ?.said.toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.slice(0, 5).join("-") || "no-words";
  return entry.script === null ? name : `0-${name}`;
}

/** The answer as a script's reply, or an example reply if there is no answer. */
function replyOf({ response }: JournalEntry): ScriptReply {
  const frames = response?.frames;
  const chunks = frames ? receivedFrames(frames).map(({ data }) => data) : [response?.body];
  const [choice] = chunks.reduce(withChunk, noAnswerYet).choices;
  if (choice === undefined) return { content: "Write the answer here." };
  const { content, reasoning, refusal, finishReason } = choice;
  const toolCalls = choice.toolCalls.filter(({ name }) => name !== "");
  return {
    ...(reasoning === "" ? {} : { reasoning: plain(reasoning) }),
    ...(content === "" && (refusal !== "" || toolCalls.length > 0)
      ? {}
      : { content: plain(content) }),
    ...(refusal === "" ? {} : { refusal: plain(refusal) }),
    ...(toolCalls.length === 0 ? {} : { toolCalls: toolCalls.map(callOf) }),
    ...(finishReason === "length" || finishReason === "content_filter" ? { finishReason } : {}),
  };
}

/** Escapes braces that would begin a template. */
function plain(text: string): string {
  return hasBraces(text) ? `{% raw %}${text}{% endraw %}` : text;
}

function hasBraces(text: string): boolean {
  return /\{[{%]/.test(text);
}

function callOf({ name, arguments: given, isCustom }: AnsweredCall): ScriptToolCall {
  if (isCustom) return { type: "custom", name, input: plain(given) };
  const read = parseJsonText(given);
  // The cast is safe, since the value was parsed from JSON.
  const isArguments = read.ok && isObject(read.value);
  const object = isArguments ? (read.value as Record<string, JsonValue>) : undefined;
  return { name, arguments: hasBraces(given) || object === undefined ? plain(given) : object };
}
