import { answerInChatForm, isLastEvent } from "../../../core/chat/forms/responses-answer.ts";
import type { Fault, FaultError } from "../../../core/chat/scripts/script.ts";
import { joinBytes } from "../../../core/http/bytes.ts";
import type { RecordedAnswer } from "../../../core/recordings/cassette.ts";
import { bodyBytes } from "../../../core/recordings/recorded-body.ts";
import {
  asObject,
  defined,
  isPresent,
  type JsonObject,
  parseJson,
} from "../../../core/schema/json.ts";
import { isEventStream, recordedEvents } from "../event-stream.ts";

/** Called with a message about something that a script cannot express. */
export type Remark = (message: string) => void;

/** A tool call of an answer, assembled from its deltas. */
export interface RecordedToolCall {
  /** The value that identifies the call's deltas. */
  readonly key: unknown;
  /** Whether the arguments are the input of a custom tool. */
  readonly isCustom: boolean;
  id: string | undefined;
  name: string;
  arguments: string;
}

type TextKind = "content" | "reasoning" | "refusal";

/** A part of a choice, in order of arrival. A message that arrived as a whole has one part of each kind. */
export type RecordedDelta =
  | { readonly kind: TextKind; readonly text: string }
  | { readonly kind: "call"; readonly call: RecordedToolCall };

/** A choice of a recorded answer, assembled from its deltas. */
export interface RecordedChoice {
  /** The texts by kind. A kind that did not occur is undefined; an empty text is one that did. */
  readonly texts: { [Kind in TextKind]?: string };
  readonly calls: RecordedToolCall[];
  readonly deltas: RecordedDelta[];
  /** The log probabilities, as sent. */
  readonly logprobs: { readonly content: unknown[]; readonly refusal: unknown[] };
  finishReason: string | undefined;
}

/** A recorded answer that is a chat completion. */
export interface RecordedCompletion {
  readonly model: string | undefined;
  readonly usage: unknown;
  readonly choices: readonly RecordedChoice[];
  /** When the first and the last part arrived, in milliseconds after the request. */
  readonly first: number;
  readonly last: number;
  /** The fault that ended or damaged the answer, if any. */
  readonly fault: CompletionFault | undefined;
}

/** A fault in an answer, and whether everything before it was received. */
interface CompletionFault {
  readonly fault: Fault;
  /** Whether the fault comes after everything that was received. If not, it concerns the whole answer. */
  readonly isAtEnd: boolean;
}

/**
 * Reads an answer as a completion, from a stream of events or a whole body. Undefined if it is neither a completion nor
 * one that went wrong.
 */
export function readCompletion(
  answer: RecordedAnswer,
  remark: Remark,
): RecordedCompletion | undefined {
  const { headers, stream } = answer;
  const bytes = joinBytes((stream ?? []).map(bodyBytes));
  return stream !== undefined && isEventStream(headers["content-type"], bytes)
    ? readStream(answer, remark)
    : readWhole(answer, remark);
}

function readWhole(answer: RecordedAnswer, remark: Remark): RecordedCompletion | undefined {
  const text = textIn(answer);
  const body = parseJson(text);
  if (body === undefined) return readBroken(answer, text, remark);
  const { choices: given, model, usage } = inChatForm(asObject(body) ?? {});
  if (!Array.isArray(given) || given.length === 0) return undefined;
  const choices = given.map((item: unknown) => {
    const choice = newChoice();
    addDelta(choice, asObject(item) ?? {}, remark);
    return choice;
  });
  if (given.some((item) => asObject(asObject(item)?.["message"]) === undefined)) return undefined;
  const isFinished = choices.some(({ finishReason }) => finishReason !== undefined);
  const { atMs = answer.afterMs } = answer.end ?? {};
  return {
    model: stringValue(model),
    usage,
    choices,
    first: atMs,
    last: atMs,
    fault: isFinished ? undefined : { fault: { kind: "noFinish" }, isAtEnd: false },
  };
}

/** Converts a body or a chunk of either endpoint to the form of chat completions. */
function inChatForm(value: JsonObject): JsonObject {
  return answerInChatForm(value) ?? value;
}

/** The text of an answer, whole or in parts. */
export function textIn({ body, stream = [] }: RecordedAnswer): string {
  const decoder = new TextDecoder();
  const parts = body === undefined ? stream : [body];
  return parts.map((part) => decoder.decode(bodyBytes(part), { stream: true })).join("");
}

const brokenKinds = { close: "cut", reset: "reset", hang: "stall" } as const;

/** A body that is not JSON because it broke off. Its contents are unknown. */
function readBroken(
  { afterMs, end }: RecordedAnswer,
  text: string,
  remark: Remark,
): RecordedCompletion | undefined {
  if (!/^\s*\{/.test(text) && end === undefined) return undefined;
  remark("the body breaks off, so nothing of it is in the script");
  const { atMs = afterMs, how = "close" } = end ?? {};
  const choice = { ...newChoice(), texts: { content: "" } };
  const fault = { kind: brokenKinds[how], ...(text === "" ? {} : { afterChunks: 1 }) };
  return {
    model: undefined,
    usage: undefined,
    choices: [choice],
    first: atMs,
    last: atMs,
    fault: { fault, isAtEnd: false },
  };
}

function stringValue(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The state of reading a stream, chunk by chunk. */
interface StreamReading {
  readonly choices: Map<unknown, RecordedChoice>;
  model?: string | undefined;
  usage?: unknown;
  first?: number;
  last?: number;
  error?: FaultError;
  /** How many events precede the first one that is not JSON. */
  malformedAt?: number;
  isDone: boolean;
}

function readStream(answer: RecordedAnswer, remark: Remark): RecordedCompletion | undefined {
  const reading: StreamReading = { choices: new Map(), isDone: false };
  const { stream = [], end = { atMs: answer.afterMs, how: "close" } } = answer;
  for (const [place, { data, atMs }] of recordedEvents(stream).entries()) {
    const chunk = data.trim() === "[DONE]" ? "end" : asObject(parseJson(data));
    if (chunk === "end") reading.isDone = true;
    else if (chunk === undefined) reading.malformedAt ??= place;
    else if (addChunk(chunk, reading, remark)) {
      reading.first ??= atMs;
      reading.last = atMs;
    }
  }
  const ordered = [...reading.choices].toSorted(([left], [right]) => Number(left) - Number(right));
  const choices = ordered.map(([, choice]) => choice);
  const fault = streamFault(reading, end.how, remark);
  if (choices.length === 0 && (fault === undefined || reading.isDone)) return undefined;
  const { model, usage, first = end.atMs, last = first } = reading;
  return { model, usage, choices, first, last, fault };
}

/** Adds a chunk of a stream. Returns whether it has any content. */
function addChunk(sent: JsonObject, reading: StreamReading, remark: Remark): boolean {
  if (isLastEvent(sent)) reading.isDone = true;
  const chunk = inChatForm(sent);
  const { model, usage, choices } = chunk;
  const error = errorIn(chunk);
  if (error !== undefined) {
    reading.error ??= error;
    return false;
  }
  reading.model ??= stringValue(model);
  reading.usage = usage ?? reading.usage;
  let saysAnything = false;
  for (const item of Array.isArray(choices) ? choices : []) {
    const given = asObject(item) ?? {};
    const index = given["index"] ?? 0;
    const choice = reading.choices.get(index) ?? newChoice();
    reading.choices.set(index, choice);
    if (addDelta(choice, given, remark)) saysAnything = true;
  }
  return saysAnything;
}

function streamFault(
  { choices, error, isDone, malformedAt }: StreamReading,
  how: keyof typeof brokenKinds,
  remark: Remark,
): CompletionFault | undefined {
  if (error !== undefined) return { fault: { kind: "error", error }, isAtEnd: true };
  const isFinished =
    choices.size > 0 &&
    [...choices.values()].every(({ finishReason }) => finishReason !== undefined);
  // After the end of the answer, a client may close the connection early, which is no fault.
  if (!isDone && (how === "reset" || (how === "hang" && !isFinished))) {
    return { fault: { kind: brokenKinds[how] }, isAtEnd: true };
  }
  if (malformedAt !== undefined) {
    remark(
      "an event that is not JSON becomes one that lacks its last character; its text is not in the script",
    );
    return { fault: { kind: "malformed", afterChunks: malformedAt }, isAtEnd: false };
  }
  if (isFinished) return isDone ? undefined : { fault: { kind: "noDone" }, isAtEnd: false };
  if (isDone) return { fault: { kind: "noFinish" }, isAtEnd: false };
  return { fault: { kind: "cut" }, isAtEnd: true };
}

function newChoice(): RecordedChoice {
  const logprobs = { content: [], refusal: [] };
  return { texts: {}, calls: [], deltas: [], logprobs, finishReason: undefined };
}

/** Adds the part of a choice that a chunk or a whole answer contains. Returns whether there is any. */
function addDelta(known: RecordedChoice, choice: JsonObject, remark: Remark): boolean {
  const before = known.deltas.length;
  const whole = asObject(choice["message"]);
  const delta = asObject(choice["delta"]) ?? whole ?? {};
  const { content, refusal } = delta;
  const reasoning = delta["reasoning_content"] ?? delta["reasoning"];
  for (const [kind, text] of Object.entries({ reasoning, content, refusal })) {
    addText(known, kind as TextKind, text);
  }
  if (isPresent(content) && typeof content !== "string") {
    remark("content that is not a text was left out");
  }
  addCalls(known, delta["tool_calls"], whole !== undefined);
  const called = asObject(delta["function_call"]);
  // The script answers with `function_call` again if the request has `functions`.
  if (called !== undefined) addCall(known, { function: called }, "function_call");
  if (isPresent(delta["audio"])) remark('"audio" was left out: scripts cannot express it');
  addLogprobs(known, asObject(choice["logprobs"]) ?? {});
  known.finishReason = stringValue(choice["finish_reason"]) ?? known.finishReason;
  return known.deltas.length > before;
}

function addText({ texts, deltas }: RecordedChoice, kind: TextKind, text: unknown): void {
  // Services open a choice with an empty text, also for calls and refusals.
  if (typeof text !== "string" || (text === "" && kind !== "content")) return;
  texts[kind] = (texts[kind] ?? "") + text;
  if (text !== "") deltas.push({ kind, text });
}

function addLogprobs({ logprobs }: RecordedChoice, given: JsonObject): void {
  for (const kind of ["content", "refusal"] as const) {
    const list = given[kind];
    if (Array.isArray(list)) logprobs[kind].push(...(list as unknown[]));
  }
}

function addCalls(known: RecordedChoice, given: unknown, areWhole: boolean): void {
  for (const [place, item] of (Array.isArray(given) ? given : []).entries()) {
    const call = asObject(item) ?? {};
    addCall(known, call, areWhole ? place : (call["index"] ?? call["id"]));
  }
}

function addCall({ calls, deltas }: RecordedChoice, given: JsonObject, key: unknown): void {
  let call = calls.findLast((known) => known.key === key);
  if (call === undefined) {
    const isCustom = asObject(given["custom"]) !== undefined;
    call = { key, isCustom, id: undefined, name: "", arguments: "" };
    calls.push(call);
  }
  const said = asObject(given["function"] ?? given["custom"]) ?? {};
  const { name, arguments: text = said["input"] } = said;
  call.id ??= stringValue(given["id"]);
  call.name += stringValue(name) ?? "";
  // Some services send an object instead of a text.
  if (isPresent(text)) call.arguments += stringValue(text) ?? JSON.stringify(text);
  deltas.push({ kind: "call", call });
}

/** The error in a body of this interface; undefined if there is none. */
export function errorIn(body: unknown): FaultError | undefined {
  const given = asObject(body)?.["error"];
  if (typeof given === "string") return { message: given };
  const error = asObject(given);
  if (error === undefined) return undefined;
  const { message, type, code, param } = error;
  // Some services send a number as the code, but a script needs a text.
  const codeText = isPresent(code) ? (stringValue(code) ?? JSON.stringify(code)) : null;
  return defined({
    message: stringValue(message) ?? JSON.stringify(message ?? given),
    type: stringValue(type),
    code: code === undefined ? undefined : codeText,
    param: stringValue(param),
  });
}
