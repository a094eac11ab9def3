import type { ChatRequest } from "../../../src/core/chat/request/chat-request.ts";
import type { Subject } from "../../../src/core/chat/matching/criteria.ts";
import type { TextMatcher, When } from "../../../src/core/chat/scripts/script.ts";

/** A message as a client sends it, its content a plain text. */
export interface SentMessage {
  readonly role: string;
  readonly content: string;
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
    Object.entries(header).every(([name, text]) => sent.headers[name.toLowerCase()] === text) &&
    Object.entries(request).every(
      ([path, value]) => JSON.stringify(sent.fields[path]) === JSON.stringify(value),
    ) &&
    naiveHoldsForMessages(when, sent)
  );
}

function naiveHoldsForMessages(when: When, sent: Sent): boolean {
  const texts = (...roles: readonly string[]): string[] =>
    sent.messages.filter(({ role }) => roles.includes(role)).map(({ content }) => content);
  const all = sent.messages.map(({ content }) => content);
  return (
    (when.turn === undefined || texts("assistant").length === when.turn) &&
    someFits(when.user, texts("user").slice(-1)) &&
    someFits(when.system, texts("system", "developer")) &&
    someFits(when.anyMessage, all) &&
    (when.toolResult === undefined || naiveHoldsForResult(when.toolResult, sent))
  );
}

function someFits(matcher: TextMatcher | undefined, texts: readonly string[]): boolean {
  return matcher === undefined || texts.some((text) => fits(matcher, text));
}

function naiveHoldsForResult(
  { name, content }: NonNullable<When["toolResult"]>,
  sent: Sent,
): boolean {
  const last = sent.messages.at(-1);
  return (
    last?.role === "tool" &&
    (name === undefined || toolOf(sent) === name) &&
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
