import type {
  ChunkFault,
  Logprobs,
  ScriptChoice,
  ScriptChunk,
  ScriptFunctionCall,
  ScriptToolCall,
} from "../../../core/chat/scripts/script.ts";
import { logprobsSchema } from "../../../core/fixture-set/format/script-format.ts";
import { asObject, defined, type JsonValue, parseJson } from "../../../core/schema/json.ts";
import { isValid } from "../../../core/schema/schema.ts";
import { isReadAsWritten } from "../../../core/fixture-set/json/json-copy.ts";
import type { Remark, RecordedToolCall, RecordedChoice } from "./read-completion.ts";

/** The choice of a script that answers like a recorded one. */
export function choiceScript(
  choice: RecordedChoice,
  wantsLogprobs: boolean,
  remark: Remark,
): ScriptChoice {
  const { texts, calls } = choice;
  const parts = defined({
    reasoning: literalIfAny(texts.reasoning),
    content: literalIfAny(texts.content),
    refusal: literalIfAny(texts.refusal),
    toolCalls: calls.length === 0 ? undefined : calls.map((call) => callScript(call, remark)),
  });
  const isSilent = Object.keys(parts).length === 0;
  return {
    ...(isSilent ? { content: null } : parts),
    ...logprobsOf(choice, wantsLogprobs, remark),
    ...finishReasonOf(choice),
  };
}

function literalIfAny(text: string | undefined): string | undefined {
  return text === undefined ? undefined : literalText(text);
}

/** The chunks of a choice that broke off: what was received, and then the fault that ended it. */
export function brokenChoiceScript(
  choice: RecordedChoice,
  fault: ChunkFault | undefined,
  remark: Remark,
): ScriptChoice {
  const { texts, deltas } = choice;
  if (texts.refusal !== undefined) remark("a refusal that breaks off becomes content");
  const begun = new Set<RecordedToolCall>();
  const chunks = deltas.flatMap((delta): readonly ScriptChunk[] => {
    if (delta.kind === "reasoning") return [{ reasoning: literalText(delta.text) }];
    if (delta.kind !== "call") return [literalText(delta.text)];
    // A tool call becomes one chunk, at the place of its first delta.
    if (begun.has(delta.call)) return [];
    begun.add(delta.call);
    return [{ toolCall: callScript(delta.call, remark) }];
  });
  if (fault !== undefined) chunks.push({ fault });
  return { chunks: chunks.length === 0 ? [""] : chunks, ...finishReasonOf(choice) };
}

function callScript(
  { id, name, isCustom, arguments: text }: RecordedToolCall,
  remark: Remark,
): ScriptToolCall {
  if (name === "") remark('a tool call without a name is called "unnamed"');
  const given = id === "" ? undefined : id;
  if (isCustom) {
    const input = literalText(text);
    return defined({ id: given, type: "custom" as const, name: name || "unnamed", input });
  }
  return defined({ id: given, name: name || "unnamed", arguments: argumentsScript(text) });
}

/**
 * The arguments of a tool call: as an object, which is easier to read, if it gives exactly the same text; else as text.
 */
function argumentsScript(text: string): NonNullable<ScriptFunctionCall["arguments"]> {
  const value = asObject(parseJson(text));
  const isSameText = JSON.stringify(value) === text && isReadAsWritten(value);
  return isSameText ? literalJson(value as Readonly<Record<string, JsonValue>>) : literalText(text);
}

function finishReasonOf({
  finishReason,
  calls,
}: RecordedChoice): Pick<ScriptChoice, "finishReason"> {
  const usual = calls.length > 0 ? ["tool_calls", "function_call"] : ["stop"];
  const isUsual = finishReason === undefined || finishReason === "" || usual.includes(finishReason);
  return isUsual ? {} : { finishReason };
}

function logprobsOf(
  { logprobs: { content, refusal } }: RecordedChoice,
  isWanted: boolean,
  remark: Remark,
): Pick<ScriptChoice, "logprobs"> {
  // If a request asked for log probabilities and got none, the script must not make them up.
  if (content.length + refusal.length === 0) return isWanted ? { logprobs: { content: null } } : {};
  const logprobs = defined({
    content: content.length === 0 ? undefined : content,
    refusal: refusal.length === 0 ? undefined : refusal,
  });
  if (isValid(logprobsSchema, logprobs)) return { logprobs: logprobs as Partial<Logprobs> };
  remark("the log probabilities are not in the usual form and were left out");
  return {};
}

/**
 * Escapes a text as a template that renders to the same text: braces that would begin an expression or a tag become
 * expressions.
 */
export function literalText(text: string): string {
  return text.replaceAll(/\{[{%]/g, (opening) => `{{ '${opening}' }}`);
}

/** Escapes every text in a JSON value as a template that renders to the same text. */
export function literalJson<Value>(value: Value): Value {
  return literal(value) as Value;
}

function literal(value: unknown): unknown {
  if (typeof value === "string") return literalText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(literal);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literal(item)]));
}
