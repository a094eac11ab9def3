import { fingerprint } from "../../schema/fingerprint.ts";
import { asObject, isObject, type JsonObject, parseJson } from "../../schema/json.ts";
import type { AnsweredChoice } from "./chat-answer.ts";

/**
 * Where a chat stands in its conversation, without the conversation itself: enough to find the requests that belong
 * together. Texts such as `0c8f3a51d27e94` name a state of a conversation, and mean nothing else.
 */
export interface ConversationPlace {
  /** The first thing that the user said, in one line of at most 80 characters; empty if there is none. */
  readonly title: string;
  /** How many earlier answers it sends back. */
  readonly answers: number;
  /** Whether it hands over what tools gave: its last message is a result. */
  readonly hasResults: boolean;
  /** The names of the tools that the answer calls. */
  readonly calls: readonly string[];
  /** Names the request: only one with the same body has the same. */
  readonly sent: string;
  /** The states that it may go on from, the likeliest first. */
  readonly from: readonly string[];
  /** The states that it leads to: those from which a later request goes on have one of them in `from`. */
  readonly to: readonly string[];
}

/** A request as its place is read from it. */
export interface PlacedRequest {
  /** In the form of chat completions. */
  readonly messages: readonly JsonObject[];
  readonly text: string;
  /** The response that it continues, which has the messages before these. */
  readonly previous: string | undefined;
}

/** The answer to a request, as far as it is known. */
export interface PlacedAnswer {
  /** The choices, if all of them came. */
  readonly choices: readonly AnsweredChoice[] | undefined;
  /** The id of a response, by which the next request may continue it. */
  readonly id: string | undefined;
}

/** How many answers of a conversation are looked for among earlier requests. More would only help if many are unknown. */
const mostLookedFor = 4;
const longestTitle = 80;

/** Where a request stands in its conversation. Without an answer nothing goes on from it. */
export function conversationPlace(
  { messages, text, previous }: PlacedRequest,
  answer: PlacedAnswer | undefined,
): ConversationPlace {
  // Instructions may differ from turn to turn of one conversation, as those with the time in them do.
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

/** The states after which an answer may have come, with that answer and with one that is not known. */
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

/** The state after an answer of which the whole is not known, since it broke off or is too long. */
function unknownAnswer(sent: string): string {
  return `${sent}?`;
}

function stateAfter(state: string, said: string): string {
  return fingerprint(`${state}\n${said}`);
}

/**
 * What must be equal for two messages to be the same. Clients send answers back without what they have no use for, with
 * other spaces, and with null in place of an empty text.
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

/** Clients read arguments, and write them again with other spaces. */
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
