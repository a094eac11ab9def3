import { failed, ok, type Result } from "../../../core/errors/result.ts";
import { isObject, type JsonObject } from "../../../core/schema/json.ts";
import { parseTypedJson } from "../parts/json-text.ts";
import type { AnsweredChoice } from "./answer.ts";

export const roles = ["system", "user", "assistant", "tool"] as const;
export type Role = (typeof roles)[number];

/** A message in the editor. */
export interface DraftMessage {
  readonly role: Role;
  readonly content: string;
  /** Other fields of an assistant's message. */
  readonly toolCalls?: readonly object[];
  /** The call that a tool's message answers. */
  readonly toolCallId?: string;
}

/** A request in the editor. */
export interface DraftChat {
  readonly model: string;
  readonly messages: readonly DraftMessage[];
  readonly stream: boolean;
  /** JSON: an array, or nothing. */
  readonly tools: string;
  /** JSON: an object of further fields, or nothing. */
  readonly more: string;
}

export const firstChat: DraftChat = {
  model: "",
  messages: [{ role: "user", content: "Tell me a story." }],
  stream: true,
  tools: "",
  more: "",
};

/** The body of a request, or why it is invalid. */
export function chatBody(draft: DraftChat): Result<JsonObject, string> {
  const tools = readPart("Tools", draft.tools, Array.isArray, "an array");
  if (!tools.ok) return tools;
  const more = readPart("Further fields", draft.more, isObject, "an object");
  if (!more.ok) return more;
  const { model, messages, stream } = draft;
  const own = { model, messages: messages.map(wireMessage), stream };
  const offered = tools.value === undefined ? {} : { tools: tools.value };
  // Fields written by hand win.
  return ok({ ...own, ...offered, ...(isObject(more.value) ? more.value : {}) });
}

function readPart(
  name: string,
  text: string,
  fits: (value: unknown) => boolean,
  what: string,
): Result<unknown, string> {
  if (text.trim() === "") return ok(undefined);
  const read = parseTypedJson(text);
  if (!read.ok) return failed(`${name}: ${read.error}`);
  return fits(read.value) ? read : failed(`${name}: this is not ${what}.`);
}

function wireMessage({ role, content, toolCalls, toolCallId }: DraftMessage): object {
  if (role === "tool") return { role, content, tool_call_id: toolCallId ?? "" };
  if (role !== "assistant" || toolCalls === undefined) return { role, content };
  return { role, content: content === "" ? null : content, tool_calls: toolCalls };
}

/** The conversation with an answer appended, and the next messages to write: tool results, or the user's. */
export function continued(
  messages: readonly DraftMessage[],
  { content, toolCalls }: AnsweredChoice,
): readonly DraftMessage[] {
  if (toolCalls.length === 0) {
    return [...messages, { role: "assistant", content }, { role: "user", content: "" }];
  }
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: "function",
    function: { name, arguments: given },
  }));
  const results = toolCalls.map(
    ({ id }) => ({ role: "tool", content: "", toolCallId: id }) as const,
  );
  return [...messages, { role: "assistant", content, toolCalls: calls }, ...results];
}
