import type { ChatRequest } from "../../../src/core/chat/request/chat-request.ts";
import type { Subject } from "../../../src/core/chat/matching/criteria.ts";
import type {
  Script,
  TextMatcher,
  ValueMatcher,
  When,
} from "../../../src/core/chat/scripts/script.ts";

/** A message as a client sends it, its content a plain text. */
export interface SentMessage {
  readonly role: string;
  readonly content: string;
  /** The types of further parts. */
  readonly parts?: readonly string[];
  readonly tool_calls?: readonly { readonly id: string; readonly name: string }[];
  readonly tool_call_id?: string;
}

/** A request as a client sends it. */
export interface Sent {
  readonly model: string;
  readonly messages: readonly SentMessage[];
  readonly stream: boolean;
  readonly tools: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The request as the room's own reader would give it. */
export function subjectOf({ model, messages, stream, tools, fields, headers }: Sent): Subject {
  const request: ChatRequest = {
    model,
    messages: messages.map((sent) => ({
      role: sent.role,
      text: sent.content,
      parts: sent.parts ?? [],
      toolCalls: sent.tool_calls ?? [],
      toolCallId: sent.tool_call_id,
      name: undefined,
      sent: { ...sent },
    })),
    stream,
    includeUsage: false,
    n: 1,
    tools,
    isOfFunctions: false,
    body: { ...fields, model, messages, stream },
    options: {},
  };
  return { request, headers };
}

/** Whether a `when` holds, by the words of the design and in the plainest way: the judge of the quick one. */
export function naiveHolds(when: When, sent: Sent): boolean {
  const { model = "*", stream = sent.stream, header = {}, request = {} } = when;
  return (
    globExpression(model).test(sent.model) &&
    stream === sent.stream &&
    (when.tool === undefined || sent.tools.includes(when.tool)) &&
    Object.entries(header).every(([name, matcher]) =>
      valueFits(matcher, sent.headers[name.toLowerCase()], true),
    ) &&
    Object.entries(request).every(([path, matcher]) =>
      valueFits(matcher, sent.fields[path], false),
    ) &&
    naiveHoldsForMessages(when, sent)
  );
}

/** Whether a script answers, besides its `when`: one that ends with the conversation has only so many replies. */
export function naiveEnd({ after, count, replies }: Script, sent: Sent): boolean {
  if (after !== "end" || count === undefined || count === "match") return true;
  return replyNumber(count, sent) < replies.length;
}

/** The place of a conversation in a script's replies. */
export function replyNumber(count: "step" | "turn", { messages }: Sent): number {
  const roles = messages.map(({ role }) => role);
  const counted = count === "turn" ? roles : roles.slice(roles.lastIndexOf("user") + 1);
  return counted.filter((role) => role === "assistant").length;
}

/** Whether a value fits. `isText`: it is of a header or an id, where a number is a text. */
function valueFits(matcher: ValueMatcher, value: unknown, isText: boolean): boolean {
  if (typeof matcher !== "object" || matcher === null || "length" in matcher) {
    return same(matcher, value);
  }
  const isNumber = typeof value === "number" || (isText && /^\d+$/.test(String(value)));
  const number = isNumber ? Number(value) : Number.NaN;
  const holds: Readonly<Record<string, () => boolean>> = {
    equals: () => same(matcher.equals, value),
    contains: () => {
      const texts = [value].flat().filter((part) => typeof part === "string");
      const { contains } = matcher;
      return (
        (Array.isArray(value) && value.some((part) => same(contains, part))) ||
        (typeof contains === "string" && texts.some((text) => text.includes(contains)))
      );
    },
    regex: () =>
      typeof value === "string" && new RegExp(matcher.regex ?? "", matcher.flags).test(value),
    anyOf: () => (matcher.anyOf ?? []).some((one) => valueFits(one, value, isText)),
    exists: () => (value !== undefined) === matcher.exists,
    gt: () => number > Number(matcher.gt),
    gte: () => number >= Number(matcher.gte),
    lt: () => number < Number(matcher.lt),
    lte: () => number <= Number(matcher.lte),
    not: () => !valueFits(matcher.not ?? null, value, isText),
  };
  return Object.entries(holds).every(([key, isFit]) => !(key in matcher) || isFit());
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function naiveHoldsForMessages(when: When, sent: Sent): boolean {
  const texts = (...roles: readonly string[]): string[] =>
    sent.messages.filter(({ role }) => roles.includes(role)).map(({ content }) => content);
  const all = sent.messages.map(({ content }) => content);
  return (
    (when.turn === undefined || replyNumber("turn", sent) === when.turn) &&
    (when.step === undefined || replyNumber("step", sent) === when.step) &&
    (when.part === undefined || hasPart(when.part, sent)) &&
    someFits(when.assistant, texts("assistant").slice(-1)) &&
    someFits(when.user, texts("user").slice(-1)) &&
    someFits(when.system, texts("system", "developer")) &&
    someFits(when.anyMessage, all) &&
    (when.toolResult === undefined || naiveHoldsForResult(when.toolResult, sent))
  );
}

function hasPart(part: string, { messages }: Sent): boolean {
  const types = messages.findLast(({ role }) => role === "user")?.parts ?? [];
  const isImage = part === "image" && types.includes("image_url");
  return isImage || types.includes(part);
}

function someFits(matcher: TextMatcher | undefined, texts: readonly string[]): boolean {
  return matcher === undefined || texts.some((text) => fits(matcher, text));
}

function naiveHoldsForResult(
  { name, id, content }: NonNullable<When["toolResult"]>,
  sent: Sent,
): boolean {
  const last = sent.messages.at(-1);
  return (
    last?.role === "tool" &&
    (name === undefined || toolOf(sent) === name) &&
    (id === undefined || valueFits(id, last.tool_call_id, true)) &&
    (content === undefined || fits(content, last.content))
  );
}

function fits(matcher: TextMatcher, text: string): boolean {
  if (typeof matcher === "string") return text.includes(matcher);
  if ("equals" in matcher) return text === matcher.equals;
  if ("contains" in matcher) return text.includes(matcher.contains);
  if ("anyOf" in matcher) return matcher.anyOf.some((one) => fits(one, text));
  return new RegExp(matcher.regex, matcher.flags).test(text);
}

function globExpression(glob: string): RegExp {
  const parts = glob.split("").map((character) => {
    if (character === "*") return ".*";
    return character === "?" ? "." : character.replace(/[.\\+^$(){}|[\]]/, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`, "s");
}

function toolOf({ messages }: Sent): string | undefined {
  const calls = messages.flatMap(({ tool_calls: made }) => made ?? []);
  return calls.findLast(({ id }) => id === messages.at(-1)?.tool_call_id)?.name;
}
