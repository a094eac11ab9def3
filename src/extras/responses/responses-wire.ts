import {
  type Completion,
  type CompletionChoice,
  isText,
  type Step,
  textIn,
} from "../../core/chat/completion/completion.ts";
import type { ChatContext } from "../../core/chat/context.ts";
import type { ChatError } from "../../core/chat/errors.ts";
import type { Draft, PlacedFault } from "../../core/chat/faults/apply-faults.ts";
import { type AdmittedRequest, admitWith } from "../../core/chat/request/admit-request.ts";
import { type DeltaPiece, isDelta, layOut } from "../../core/chat/wire/timeline.ts";
import type { Wire, WireAnswer } from "../../core/chat/wire/wire.ts";
import { commentOf } from "../../core/chat/wire/frames.ts";
import type { Result } from "../../core/errors/result.ts";
import type { Call } from "../../core/http/call.ts";
import { asObject, type JsonObject } from "../../core/schema/json.ts";
import { responsesFaults } from "./faults.ts";
import { hexId } from "./hex-id.ts";
import { type ItemOptions, OutputItems } from "./output-items.ts";
import type { ResponseEvent } from "./response-event.ts";
import { readResponsesRequest } from "./read-request.ts";
import { responseObject, type ResponseState, responseUsage } from "./response-object.ts";
import { keepResponse } from "./stored-responses.ts";

/** The Responses API: a body with output items, or events that build them. */
export const responsesWire: Wire = {
  admit,
  answerWhole: (answer, context) => {
    const response = new ResponseAnswer(answer, context);
    const items = response.itemsOf();
    const whole = response.object(response.endState(items, context.now()));
    return { text: JSON.stringify(whole), keep: () => keepResponse(whole, answer, context) };
  },
  draftStream: (answer, context) => {
    const response = new ResponseAnswer(answer, context);
    const { frames, faults, whole } = response.draft();
    return { frames, faults, keep: () => keepResponse(whole, answer, context) };
  },
  faults: responsesFaults,
};

function admit(call: Call, context: ChatContext): Promise<Result<AdmittedRequest, ChatError>> {
  return admitWith(call, context, (body) => readResponsesRequest(body, context));
}

/** The most pieces of a text. Each is an event of some 300 bytes. */
const mostPieces = 65_536;

/** Writes one answer, as JSON or as events. */
class ResponseAnswer {
  readonly #id: string;
  readonly #completion: Completion;
  readonly #choice: CompletionChoice;
  readonly #body: JsonObject;
  readonly #context: ChatContext;

  constructor({ completion, admitted }: WireAnswer, context: ChatContext) {
    const { id } = completion;
    this.#id = id.startsWith("resp_") ? id : hexId("resp_", context.random);
    this.#completion = completion;
    this.#choice = completion.choices[0] ?? noChoice;
    this.#body = admitted.request.body;
    this.#context = context;
  }

  object(state: ResponseState): JsonObject {
    const { extraBody } = this.#completion;
    return { ...responseObject(this.#id, this.#completion, this.#body, state), ...extraBody };
  }

  /** The items of a JSON answer. */
  itemsOf(): readonly JsonObject[] {
    const output = new OutputItems(this.#itemOptions());
    for (const step of this.#choice.steps) {
      if (step.kind === "outputItem") output.addItem(step.item);
      else for (const piece of wholePieces(step)) output.add(piece);
    }
    this.#finish(output);
    return output.items;
  }

  /** The state of the answer when all its items are complete. `now` is Unix time in milliseconds. */
  endState(output: readonly JsonObject[], now: number): ResponseState {
    const reason = reasons[this.#choice.finishReason];
    const usage = responseUsage(this.#completion.usage);
    if (reason !== undefined) {
      return { status: "incomplete", completedAt: null, output, usage, reason };
    }
    return { status: "completed", completedAt: Math.floor(now / 1000), output, usage };
  }

  /** The events of a stream. Comments, raw texts and faults keep their places in the script. */
  draft(): { frames: readonly Draft[]; faults: readonly PlacedFault[]; whole: JsonObject } {
    const { pace, tokenizer } = this.#completion;
    const { random, speed, now } = this.#context;
    const { steps } = this.#choice;
    const { pieces, end } = layOut(steps, { ...pace, tokenizer }, { random, mostPieces });
    const events = new EventDraft(speed);
    const begun = this.object({
      status: "in_progress",
      completedAt: null,
      output: [],
      usage: null,
    });
    events.add({ type: "response.created", fields: { response: begun }, isDelta: false });
    events.add({ type: "response.in_progress", fields: { response: begun }, isDelta: false });
    let extra = this.#choice.extra?.delta;
    const output = new OutputItems(this.#itemOptions(), (event) => {
      const more = event.isDelta ? extra : undefined;
      if (event.isDelta) extra = undefined;
      events.add({ ...event, fields: { ...event.fields, ...more } });
    });
    for (const { at, piece } of pieces) {
      events.now = at;
      if (isDelta(piece)) output.add(piece);
      else if (piece.kind === "fault") events.addFault(piece.fault);
      else if (piece.kind === "outputItem") output.addItem(piece.item);
      else if (piece.kind === "json") events.addJson(piece);
      else if (piece.kind === "bytes") events.addAside(piece.bytes);
      else events.addAside(piece.kind === "raw" ? piece.text : commentOf(piece.text));
    }
    events.now = end;
    this.#finish(output);
    const state = this.endState(output.items, now() + (speed === 0 ? 0 : end / speed));
    const whole = this.object(state);
    events.add({ type: `response.${state.status}`, fields: { response: whole }, isDelta: false });
    return { frames: events.frames, faults: events.faults, whole };
  }

  #finish(output: OutputItems): void {
    const { finishReason, steps } = this.#choice;
    const isCut = reasons[finishReason] !== undefined;
    output.finish(isCut ? "incomplete" : "completed", textIn(steps, "content") === "");
  }

  #itemOptions(): ItemOptions {
    const { include, reasoning, stream_options: options } = this.#body;
    const included = Array.isArray(include) ? include : [];
    const { summary, generate_summary: older } = asObject(reasoning) ?? {};
    return {
      callIds: this.#choice.callIds,
      messageExtra: this.#choice.extra?.message,
      callsComeInTurn: this.#completion.pace.toolCalls === "interleaved",
      random: this.#context.random,
      hasSummary: typeof (summary ?? older) === "string",
      isEncrypted: included.includes("reasoning.encrypted_content"),
      hasLogprobs: included.includes("message.output_text.logprobs"),
      isObfuscated: asObject(options)?.["include_obfuscation"] !== false,
    };
  }
}

const noChoice: CompletionChoice = {
  steps: [],
  isLasting: false,
  callIds: [],
  isFunctionCall: false,
  finishReason: "stop",
  logprobs: null,
};

/** Why a response is incomplete, by the finish reason of the chat. With any other reason it is complete. */
const reasons: Readonly<Record<string, string>> = {
  length: "max_output_tokens",
  content_filter: "content_filter",
};

/** The pieces of a step, with its text uncut. */
function wholePieces(step: Step): readonly DeltaPiece[] {
  if (isText(step)) return [step];
  if (step.kind !== "toolCall") return [];
  const { call } = step;
  return [{ kind: "toolCall", call, text: call.arguments }];
}

/** Numbers the events of a stream and gives each its time. */
class EventDraft {
  readonly frames: Draft[] = [];
  readonly faults: PlacedFault[] = [];
  /** When the next event is due, in milliseconds at speed 1. */
  now = 0;
  readonly #speed: number;
  #number = 0;

  constructor(speed: number) {
    this.#speed = speed;
  }

  add({ type, fields, isDelta: isToken }: ResponseEvent): void {
    const data = JSON.stringify({ type, ...fields, sequence_number: this.#number++ });
    const kind = endTypes.includes(type) ? "finish" : "chunk";
    const text = `event: ${type}\ndata: ${data}\n\n`;
    this.frames.push({ at: this.#at(), data: text, kind, isHeaded: false, isToken });
  }

  /** Adds an event with a script's own data, which gets no sequence number. */
  addJson({ text, type }: { readonly text: string; readonly type: string | undefined }): void {
    const name = type === undefined ? "" : `event: ${type}\n`;
    const data = `${name}data: ${text}\n\n`;
    this.frames.push({ at: this.#at(), data, kind: "chunk", isHeaded: false });
  }

  addAside(data: string | Uint8Array): void {
    this.frames.push({ at: this.#at(), data, kind: "aside", isHeaded: false });
  }

  addFault(fault: PlacedFault["fault"]): void {
    this.faults.push({ fault, place: this.frames.length, at: this.#at() });
  }

  #at(): number {
    return this.#speed === 0 ? 0 : this.now / this.#speed;
  }
}

const endTypes: readonly string[] = ["response.completed", "response.incomplete"];
