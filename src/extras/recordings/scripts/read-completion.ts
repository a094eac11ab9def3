import type { ScriptError } from "../../../core/chat/scripts/script.ts";
import type { Fault, FaultError } from "../../../core/chat/scripts/script.ts";
import type { RecordedAnswer } from "../../../core/replay/cassette.ts";
import { asObject, isPresent, type JsonObject } from "../../../core/schema/json.ts";
import { recordedEvents } from "../event-stream.ts";

/** Told what a script cannot say of an answer. */
export type Remark = (message: string) => void;

/** A tool call as it was answered. */
export interface RecordedToolCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly arguments: string;
}

/** What a choice of a recorded answer says, however it was sent. */
export interface RecordedChoice {
  /** Null and undefined: none. An empty text is one. */
  readonly content: string | undefined;
  readonly reasoning: string | undefined;
  readonly refusal: string | undefined;
  readonly calls: readonly RecordedToolCall[];
  /** As on the wire. Undefined: there are none. */
  readonly logprobs: unknown;
  readonly finishReason: string | undefined;
  /** The deltas of a stream, in their order. */
  readonly deltas?: readonly RecordedDelta[];
}

/** A delta of a streamed choice. */
export type RecordedDelta =
  | { readonly kind: "content" | "reasoning" | "refusal"; readonly text: string }
  | { readonly kind: "call"; readonly index: number };

/** When the parts of an answer came, in milliseconds after the request. */
interface CompletionTimes {
  readonly first: number;
  readonly last: number;
}

/** A recorded answer that is a completion. */
export interface RecordedCompletion {
  readonly model: string | undefined;
  readonly usage: unknown;
  readonly choices: readonly RecordedChoice[];
  readonly times: CompletionTimes;
  /** What went wrong with it. */
  readonly fault: CompletionFault | undefined;
}

/** What went wrong with an answer, and whether what was said before came as far as it is here, and no further. */
export interface CompletionFault {
  readonly fault: Fault;
  /** It happens after all that was said. Else it is one of the whole answer. */
  readonly isAtEnd: boolean;
}

/** The choices of a completion that came as one JSON object; undefined when it is none. */
export function readCompletion(
  body: unknown,
  remark: Remark,
): readonly RecordedChoice[] | undefined {
  const choices = asObject(body)?.["choices"];
  if (!Array.isArray(choices) || choices.length === 0) return undefined;
  const read = choices.map((item: unknown) => readChoice(asObject(item) ?? {}, remark));
  return read.every((choice) => choice !== undefined) ? read : undefined;
}

function readChoice(choice: JsonObject, remark: Remark): RecordedChoice | undefined {
  const message = asObject(choice["message"]);
  if (message === undefined) return undefined;
  const content = stringValue(message["content"]);
  const isOdd = content === undefined && (message["content"] ?? null) !== null;
  if (isOdd) remark("a content that is no text was left out");
  for (const key of ["function_call", "audio"]) {
    if ((message[key] ?? null) !== null) remark(`"${key}" was left out, which no script can say`);
  }
  return {
    content,
    reasoning: stringValue(message["reasoning_content"]) ?? stringValue(message["reasoning"]),
    refusal: stringValue(message["refusal"]),
    calls: readCalls(message["tool_calls"], remark),
    logprobs: choice["logprobs"] ?? undefined,
    finishReason: stringValue(choice["finish_reason"]),
  };
}

function readCalls(value: unknown, remark: Remark): readonly RecordedToolCall[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const call = asObject(item);
    const called = asObject(call?.["function"]);
    const name = stringValue(called?.["name"]) ?? "";
    if (name === "") {
      remark("a tool call without the name of a function was left out");
      return [];
    }
    return [{ id: stringValue(call?.["id"]), name, arguments: argumentsOf(called?.["arguments"]) }];
  });
}

/** Some services send an object where a text should be. */
function argumentsOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** A value that is a text; undefined when it is none. */
export function stringValue(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A completion that came as a stream of events; undefined when there is none in it, and nothing went wrong. */
export function readStream(answer: RecordedAnswer, remark: Remark): RecordedCompletion | undefined {
  const gathered = new GatheredStream(answer.afterMs, remark);
  for (const { data, atMs } of recordedEvents(answer.stream ?? [])) gathered.add(data, atMs);
  return gathered.said(answer);
}

/** A stream, put together event by event. */
class GatheredStream {
  readonly #choices = new Map<unknown, GatheredChoice>();
  readonly #remark: Remark;
  #model: string | undefined;
  #usage: unknown;
  #first: number | undefined;
  #last: number;
  #events = 0;
  #isDone = false;
  #error: FaultError | undefined;
  #malformedAt: number | undefined;

  constructor(startMs: number, remark: Remark) {
    this.#last = startMs;
    this.#remark = remark;
  }

  add(data: string, atMs: number): void {
    if (data.trim() === "[DONE]") {
      this.#isDone = true;
      return;
    }
    const chunk = asObject(parseJson(data));
    if (chunk === undefined) this.#malformedAt ??= this.#events;
    else this.#addChunk(chunk, atMs);
    this.#events += 1;
  }

  #addChunk(chunk: JsonObject, atMs: number): void {
    const error = errorIn(chunk);
    if (error !== undefined) {
      const { message, type, code, param } = error;
      this.#error ??= {
        message,
        ...(type === undefined ? {} : { type }),
        ...(code === undefined ? {} : { code }),
        ...(param === undefined ? {} : { param }),
      };
      return;
    }
    this.#model ??= stringValue(chunk["model"]);
    this.#usage = chunk["usage"] ?? this.#usage;
    const { choices } = chunk;
    if (!Array.isArray(choices)) return;
    for (const item of choices) {
      const choice = asObject(item) ?? {};
      const index = choice["index"] ?? 0;
      const known = this.#choices.get(index) ?? new GatheredChoice();
      this.#choices.set(index, known);
      if (!known.add(choice, this.#remark)) continue;
      this.#first ??= atMs;
      this.#last = atMs;
    }
  }

  said(answer: RecordedAnswer): RecordedCompletion | undefined {
    const ordered = [...this.#choices].toSorted(([left], [right]) => Number(left) - Number(right));
    const choices = ordered.map(([, choice]) => choice.said(this.#remark));
    const fault = this.#fault(answer);
    if (choices.length === 0 && (fault === undefined || this.#isDone)) return undefined;
    const first = this.#first ?? answer.end?.atMs ?? answer.afterMs;
    const times = { first, last: Math.max(first, this.#last) };
    return { model: this.#model, usage: this.#usage, choices, times, fault };
  }

  #fault(answer: RecordedAnswer): CompletionFault | undefined {
    const { how = "close" } = answer.end ?? {};
    if (this.#error !== undefined)
      return { fault: { kind: "error", error: this.#error }, isAtEnd: true };
    const isFinished =
      this.#choices.size > 0 &&
      [...this.#choices.values()].every(({ finishReason }) => finishReason !== undefined);
    // A client that has seen the end may go before the connection does.
    if (!this.#isDone && how === "reset") return { fault: { kind: "reset" }, isAtEnd: true };
    if (!this.#isDone && how === "hang" && !isFinished)
      return { fault: { kind: "stall" }, isAtEnd: true };
    if (this.#malformedAt !== undefined) {
      this.#remark(
        "an event that is no JSON comes as one that lacks its last character, and what it said is not in the script",
      );
      return { fault: { kind: "malformed", afterChunks: this.#malformedAt }, isAtEnd: false };
    }
    if (isFinished) return this.#isDone ? undefined : { fault: { kind: "noDone" }, isAtEnd: false };
    if (this.#isDone) return { fault: { kind: "noFinish" }, isAtEnd: false };
    return { fault: { kind: "cut" }, isAtEnd: true };
  }
}

/** The value of a JSON text; undefined for any other. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface CallDraft {
  readonly key: unknown;
  id: string | undefined;
  name: string;
  arguments: string;
}

type TextKind = "content" | "reasoning" | "refusal";

/** A choice of a stream, put together delta by delta. */
class GatheredChoice {
  readonly #texts: { [Kind in TextKind]?: string } = {};
  readonly #calls: CallDraft[] = [];
  readonly #deltas: RecordedDelta[] = [];
  readonly #logprobs: { content: unknown[]; refusal: unknown[] } = { content: [], refusal: [] };
  finishReason: string | undefined;

  /** Takes what a chunk says of the choice. Returns whether it says anything. */
  add(choice: JsonObject, remark: Remark): boolean {
    const before = this.#deltas.length;
    const delta = asObject(choice["delta"]) ?? asObject(choice["message"]) ?? {};
    this.#addText("reasoning", delta["reasoning_content"] ?? delta["reasoning"]);
    this.#addText("content", delta["content"]);
    this.#addText("refusal", delta["refusal"]);
    const { tool_calls: calls } = delta;
    if (Array.isArray(calls)) for (const call of calls) this.#addCall(asObject(call) ?? {});
    if ((delta["function_call"] ?? null) !== null) {
      remark('"function_call" was left out, which no script can say');
    }
    this.#addLogprobs(asObject(choice["logprobs"]));
    this.finishReason = stringValue(choice["finish_reason"]) ?? this.finishReason;
    return this.#deltas.length > before;
  }

  said(remark: Remark): RecordedChoice {
    const { content, refusal } = this.#logprobs;
    const hasLogprobs = content.length > 0 || refusal.length > 0;
    return {
      content: this.#texts.content,
      reasoning: this.#texts.reasoning,
      refusal: this.#texts.refusal,
      calls: this.#calls.map((call) => sound(call, remark)),
      logprobs: hasLogprobs
        ? { content: nullIfEmpty(content), refusal: nullIfEmpty(refusal) }
        : undefined,
      finishReason: this.finishReason,
      deltas: this.#deltas,
    };
  }

  #addText(kind: TextKind, value: unknown): void {
    if (typeof value !== "string") return;
    // An empty text is how a choice is opened, with calls and refusals as with content.
    if (value === "" && kind !== "content") return;
    this.#texts[kind] = (this.#texts[kind] ?? "") + value;
    if (value !== "") this.#deltas.push({ kind, text: value });
  }

  #addCall(call: JsonObject): void {
    const key = call["index"] ?? call["id"];
    let place = this.#calls.findLastIndex((known) => known.key === key);
    if (place === -1) place = this.#calls.push({ key, id: undefined, name: "", arguments: "" }) - 1;
    const draft = this.#calls[place];
    if (draft === undefined) return;
    const called = asObject(call["function"]);
    draft.id ??= stringValue(call["id"]);
    draft.name += stringValue(called?.["name"]) ?? "";
    draft.arguments += stringValue(called?.["arguments"]) ?? "";
    this.#deltas.push({ kind: "call", index: place });
  }

  #addLogprobs(given: JsonObject | undefined): void {
    for (const kind of ["content", "refusal"] as const) {
      const list = given?.[kind];
      if (Array.isArray(list)) this.#logprobs[kind].push(...(list as unknown[]));
    }
  }
}

function nullIfEmpty(list: readonly unknown[]): readonly unknown[] | null {
  return list.length === 0 ? null : list;
}

function sound(call: CallDraft, remark: Remark): RecordedToolCall {
  if (call.name === "") remark('a tool call without a name is called "unnamed"');
  return { id: call.id, name: call.name || "unnamed", arguments: call.arguments };
}

/** An error as an answer or an event has it. */
export type RecordedError = Omit<ScriptError, "status" | "retryAfterMs">;

/** The error in the envelope of the interface; undefined when there is none. */
export function errorIn(body: unknown): RecordedError | undefined {
  const given = asObject(body)?.["error"];
  if (typeof given === "string") return { message: given };
  const error = asObject(given);
  if (error === undefined) return undefined;
  const { message, type, code, param } = error;
  return {
    message: typeof message === "string" ? message : JSON.stringify(message ?? given),
    ...(typeof type === "string" ? { type } : {}),
    ...(code === undefined ? {} : { code: isPresent(code) ? codeText(code) : null }),
    ...(typeof param === "string" ? { param } : {}),
  };
}

/** Some services have a number, which a script cannot say. */
function codeText(code: unknown): string {
  return typeof code === "string" ? code : JSON.stringify(code);
}
