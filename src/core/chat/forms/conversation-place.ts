import { fingerprint } from "../../schema/fingerprint.ts";
import { asObject, isObject, type JsonObject, parseJson } from "../../schema/json.ts";
import type { AnsweredChoice } from "./chat-answer.ts";

/**
 * Where a chat stands in its conversation, without the conversation itself: enough to find the requests that belong
 * together. A text such as `0c8f3a51d27e94` is a hash that identifies a state of a conversation.
 */
export interface ConversationPlace {
  /** The first thing that the user said, in one line of at most 80 characters; empty if there is none. */
  readonly title: string;
  /** How many earlier answers the request contains. */
  readonly answers: number;
  /** Whether the request's last message is the result of a tool. */
  readonly hasResults: boolean;
  /** The names of the tools that the answer calls. */
  readonly calls: readonly string[];
  /** Identifies the request: requests with the same body have the same value. */
  readonly sent: string;
  /** The states that the request may continue, the likeliest first. */
  readonly from: readonly string[];
  /** The states after the answer. A later request that continues the conversation has one of them in `from`. */
  readonly to: readonly string[];
}

/** The parts of a request that decide its place in the conversation. */
export interface PlacedRequest {
  /** The messages, in the form of chat completions. */
  readonly messages: readonly JsonObject[];
  readonly text: string;
  /** The id of the response that the request continues, which stands for all earlier messages. */
  readonly previous: string | undefined;
}

/** The parts of an answer that decide how its conversation continues. */
export interface PlacedAnswer {
  /** The choices, if the whole answer was received. */
  readonly choices: readonly AnsweredChoice[] | undefined;
  /** The id of a response, by which the next request may continue it. */
  readonly id: string | undefined;
}

/**
 * How many of a conversation's answers are looked for among earlier requests, from the last one back. Going further
 * back would help only if several answers in a row are unknown.
 */
const mostLookedFor = 4;
const longestTitle = 80;

/** Where a request stands in its conversation. Without an answer, no later request continues it. */
export function conversationPlace(
  { messages, text, previous }: PlacedRequest,
  answer: PlacedAnswer | undefined,
): ConversationPlace {
  // System messages are left out, since they may differ from turn to turn: some contain the time.
  const said = messages.filter(({ role }) => role !== "system" && role !== "developer");
  const first = previous === undefined ? "" : fingerprint(previous);
  const states = [first];
  for (const message of said) states.push(stateAfter(states.at(-1) ?? "", sameness(message)));
  const last = states.at(-1) ?? "";
  return {
    title: titleOf(said),
    answers: said.filter(isOfModel).length,
    hasResults: said.at(-1)?.["role"] === "tool",
    calls: answer?.choices?.flatMap(({ toolCalls }) => namesOf(toolCalls)) ?? [],
    sent: fingerprint(text),
    from: [...(previous === undefined ? [] : [previous]), ...startsIn(said, states)],
    to: answer === undefined ? [] : statesWith(last, answer),
  };
}

function isOfModel({ role }: JsonObject): boolean {
  return role === "assistant";
}

function titleOf(said: readonly JsonObject[]): string {
  const first = said.find(({ role }) => role === "user");
  const line = textOf(first?.["content"]).replaceAll(/\s+/g, " ").trim();
  return line.length <= longestTitle ? line : `${line.slice(0, longestTitle - 1)}…`;
}

function namesOf(calls: readonly { readonly name: string }[]): readonly string[] {
  return calls.flatMap(({ name }) => (name === "" ? [] : [name]));
}

/**
 * The states that the request may continue: for each of its last answers, the state with that answer and the state with
 * an unknown answer in its place.
 */
function startsIn(said: readonly JsonObject[], states: readonly string[]): readonly string[] {
  const answers = said.flatMap((message, index) => (isOfModel(message) ? [index] : []));
  return answers
    .slice(-mostLookedFor)
    .toReversed()
    .flatMap((index) => [states[index + 1] ?? "", unknownAnswer(states[index] ?? "")]);
}

function statesWith(sent: string, { choices, id }: PlacedAnswer): readonly string[] {
  const known = choices?.map((choice) => stateAfter(sent, samenessOfAnswer(choice)));
  return [...(known ?? [unknownAnswer(sent)]), ...(id === undefined ? [] : [id])];
}

/** The state after an answer that is not known as a whole, since it broke off or is too long. */
function unknownAnswer(sent: string): string {
  return `${sent}?`;
}

function stateAfter(state: string, said: string): string {
  return fingerprint(`${state}\n${said}`);
}

/**
 * A text that is equal for two messages that mean the same. Clients send answers back without the keys that they do not
 * need, with other spaces, and with null in place of an empty text.
 */
function sameness(message: JsonObject): string {
  const { role, content, refusal, tool_calls: calls, tool_call_id: id } = message;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  const others = parts.filter(({ text, refusal: no }) => text === undefined && no === undefined);
  return JSON.stringify([
    role,
    (textOf(content) + textOf(refusal)).trim(),
    others,
    Array.isArray(calls) ? calls.filter(isObject).map(samenessOfCall) : [],
    id ?? "",
  ]);
}

function samenessOfCall({ id, function: called, custom }: JsonObject): readonly unknown[] {
  const { name, arguments: given, input } = asObject(called ?? custom) ?? {};
  return callParts(id, name, given ?? input);
}

function samenessOfAnswer({ content, refusal, toolCalls }: AnsweredChoice): string {
  const calls = toolCalls.filter(({ name }) => name !== "");
  return JSON.stringify([
    "assistant",
    (content + refusal).trim(),
    [],
    calls.map(({ id, name, arguments: given }) => callParts(id, name, given)),
    "",
  ]);
}

/** Arguments are compared as values, since clients parse them and send them back with other spaces. */
function callParts(id: unknown, name: unknown, given: unknown): readonly unknown[] {
  const read = typeof given === "string" ? parseJson(given) : given;
  return [id, name, read ?? given];
}

/** The text of a message, even if its content has several parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return parts.map(({ text, refusal }) => textOf(text ?? refusal)).join("");
}
