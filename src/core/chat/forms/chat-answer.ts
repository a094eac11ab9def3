import { answerInChatForm } from "./responses-answer.ts";
import { asObject, type JsonObject, isObject } from "../../schema/json.ts";

/** A tool call as far as it has been received. */
export interface AnsweredCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON text; for a custom tool, its input. */
  readonly arguments: string;
  readonly isCustom: boolean;
}

/** A choice as far as it has been received. */
export interface AnsweredChoice {
  readonly content: string;
  readonly reasoning: string;
  readonly refusal: string;
  readonly toolCalls: readonly AnsweredCall[];
  readonly finishReason: string | undefined;
}

/** The contents of a completion, or of the chunks so far. */
export interface ChatAnswer {
  /** The choices, ordered by their index. */
  readonly choices: readonly AnsweredChoice[];
  readonly usage: Readonly<Record<string, unknown>> | undefined;
  readonly model: string | undefined;
}

export const noAnswerYet: ChatAnswer = { choices: [], usage: undefined, model: undefined };

const noCall: AnsweredCall = { id: "", name: "", arguments: "", isCustom: false };

const noChoice: AnsweredChoice = {
  content: "",
  reasoning: "",
  refusal: "",
  toolCalls: [],
  finishReason: undefined,
};

/** The answer with a chunk or a whole body added, of chat completions or of Responses. Anything else is skipped. */
export function withChunk(answer: ChatAnswer, given: unknown): ChatAnswer {
  if (!isObject(given)) return answer;
  const chunk = answerInChatForm(given) ?? given;
  const choices = [...answer.choices];
  for (const part of listOf(chunk["choices"])) {
    if (!isObject(part)) continue;
    const index = indexOf(part, 0);
    while (choices.length <= index) choices.push(noChoice);
    choices[index] = withPart(choices[index] ?? noChoice, part);
  }
  const { usage, model } = chunk;
  return {
    choices,
    usage: isObject(usage) ? usage : answer.usage,
    model: typeof model === "string" ? model : answer.model,
  };
}

/** The most choices of an answer. Choices with a higher index are ignored. */
const mostParts = 128;

function withPart(choice: AnsweredChoice, part: JsonObject): AnsweredChoice {
  const said = isObject(part["delta"]) ? part["delta"] : part["message"];
  const finish = part["finish_reason"];
  const finishReason = typeof finish === "string" ? finish : choice.finishReason;
  if (!isObject(said)) return { ...choice, finishReason };
  const older = isObject(said["function_call"]) ? [{ function: said["function_call"] }] : [];
  const calls = [...listOf(said["tool_calls"]), ...older];
  return {
    content: choice.content + textOf(said["content"]),
    reasoning: choice.reasoning + textOf(said["reasoning_content"]),
    refusal: choice.refusal + textOf(said["refusal"]),
    toolCalls: calls.length === 0 ? choice.toolCalls : calls.reduce(withCall, choice.toolCalls),
    finishReason,
  };
}

function withCall(
  calls: readonly AnsweredCall[],
  part: unknown,
  at: number,
): readonly AnsweredCall[] {
  if (!isObject(part)) return calls;
  const all = [...calls];
  const index = indexOf(part, at);
  while (all.length <= index) all.push(noCall);
  const { id, name, arguments: given, isCustom } = all[index] ?? noCall;
  const { function: called, custom } = part;
  const said = asObject(called ?? custom) ?? {};
  all[index] = {
    id: id || textOf(part["id"]),
    name: name + textOf(said["name"]),
    arguments: given + textOf(said["arguments"] ?? said["input"]),
    isCustom: isCustom || isObject(custom),
  };
  return all;
}

function indexOf({ index }: JsonObject, other: number): number {
  const isIndex = typeof index === "number" && Number.isInteger(index);
  return isIndex && index >= 0 && index < mostParts ? index : other;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, mostParts) : [];
}
