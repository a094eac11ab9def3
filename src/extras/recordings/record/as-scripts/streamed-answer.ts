import type { RecordedAnswer } from "../../../../core/replay/cassette.ts";
import type { FaultError } from "../../../../core/chat/scripts/script.ts";
import { asObject, type JsonObject } from "../../../../core/schema/json.ts";
import type { Remark } from "./choice-script.ts";
import { errorIn } from "./said-error.ts";
import { GatheredChoice } from "./gathered-choice.ts";
import { textOf } from "./json-answer.ts";
import { recordedEvents } from "../../event-stream.ts";
import type { SaidAnswer, SaidFault } from "./said.ts";

/** A completion that came as a stream of events; undefined when there is none in it, and nothing went wrong. */
export function readStream(answer: RecordedAnswer, remark: Remark): SaidAnswer | undefined {
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
    const chunk = parse(data);
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
    this.#model ??= textOf(chunk["model"]);
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

  said(answer: RecordedAnswer): SaidAnswer | undefined {
    const ordered = [...this.#choices].toSorted(([left], [right]) => Number(left) - Number(right));
    const choices = ordered.map(([, choice]) => choice.said(this.#remark));
    const fault = this.#fault(answer);
    if (choices.length === 0 && (fault === undefined || this.#isDone)) return undefined;
    const first = this.#first ?? answer.end?.atMs ?? answer.afterMs;
    const times = { first, last: Math.max(first, this.#last) };
    return { model: this.#model, usage: this.#usage, choices, times, fault };
  }

  #fault(answer: RecordedAnswer): SaidFault | undefined {
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

function parse(data: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(data));
  } catch {
    return undefined;
  }
}
