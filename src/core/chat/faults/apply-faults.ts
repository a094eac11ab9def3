import { type EventStream, type Frame, textOf as frameText } from "../../http/event-stream.ts";
import type { AnswerFault, Reply } from "../../http/reply.ts";
import type { Completion, CompletionChoice, Step } from "../completion/completion.ts";
import type { Fault } from "../scripts/script.ts";
import {
  chatFaults,
  type FaultEffect,
  faultEffects,
  textOf,
  type WireFaults,
} from "./fault-effects.ts";
import { answerFault, faultKinds } from "./fault-kinds.ts";

/** A frame of a stream before faults apply. Asides (comments, raw bytes) do not count as data events. */
export interface Draft extends Frame {
  readonly isHeaded: boolean;
  readonly kind: "chunk" | "finish" | "done" | "aside";
}

/** A fault and its place among the frames. */
export interface PlacedFault {
  readonly fault: Fault;
  /** The number of frames before the fault. */
  readonly place: number;
  /** When the fault happens, in milliseconds after the start of the stream. */
  readonly at: number;
}

/**
 * The position of a reply's fault. With `afterChunks` it is right after that many events, at the time of the next one;
 * with `afterMs` it is at that time, after what is due by then. A fault can replace the last event, such as `[DONE]`,
 * but not follow it.
 */
export function placeFault(fault: Fault, drafts: readonly Draft[]): PlacedFault {
  const { afterChunks = 0, afterMs } = fault;
  if (afterMs !== undefined) return { fault, place: placeAt(afterMs, drafts), at: afterMs };
  let place = 0;
  let events = 0;
  const last = drafts.findLastIndex(({ kind }) => kind !== "aside");
  for (const [index, { kind, at }] of drafts.entries()) {
    if (kind === "aside") continue;
    if (events === afterChunks || index === last) return { fault, place, at };
    events += 1;
    place = index + 1;
  }
  return { fault, place, at: drafts.at(-1)?.at ?? 0 };
}

/** The number of frames that are due by a time, without the last event. */
function placeAt(time: number, drafts: readonly Draft[]): number {
  const last = drafts.findLastIndex(({ kind }) => kind !== "aside");
  const later = drafts.findIndex(({ at }, index) => at > time || index === last);
  return later === -1 ? drafts.length : later;
}

/** A stream at another speed; 0 means that everything is due at once. */
export function atSpeed({ frames, end, ...rest }: EventStream, speed: number): EventStream {
  const timeOf = (at: number): number => (speed === 0 ? 0 : at / speed);
  return {
    ...rest,
    frames: frames.map((frame) => ({
      at: timeOf(frame.at),
      data: frame.data,
      isHeaded: frame.isHeaded ?? false,
      isToken: frame.isToken ?? false,
    })),
    end: { ...end, at: timeOf(end.at) },
  };
}

/** A stream with its faults applied. If several would end it, the earliest wins. */
export function faultyStream(
  drafts: readonly Draft[],
  faults: readonly PlacedFault[],
  wire: WireFaults,
): EventStream {
  const ending = firstEnding(faults);
  const missing = new Set<string | undefined>(effectsOf(faults).map(({ lacks }) => lacks));
  const placed = faults.map((one) => ({ ...one, event: nextEvent(drafts, one.place) }));
  const frames: Frame[] = [];
  for (const [index, draft] of drafts.slice(0, ending?.place).entries()) {
    if (missing.has(draft.kind)) continue;
    const here = effectsOf(placed.filter(({ event }) => event === index));
    frames.push(
      ...here.reduce<readonly Frame[]>(
        (events, { inPlaceOfNext }) =>
          inPlaceOfNext === undefined ? events : events.flatMap(inPlaceOfNext),
        [draft],
      ),
    );
  }
  const felt = ending ?? faults[0];
  const place = felt === undefined ? {} : placeIn(drafts, felt);
  if (ending === undefined) {
    return { frames, end: { how: "close", at: frames.at(-1)?.at ?? 0, ...place } };
  }
  const { at, fault } = ending;
  const last = faultEffects[fault.kind].lastEvent?.(fault, wire, drafts.slice(0, ending.place));
  if (last !== undefined) frames.push({ at, data: last });
  return { frames, end: { ...endAt(fault, at), ...place } };
}

/** How many events come before a fault, as its `afterChunks` counts. */
function placeIn(
  drafts: readonly Draft[],
  { fault, place }: PlacedFault,
): Pick<EventStream["end"], "chunksBefore"> {
  if (faultKinds[fault.kind].whyNoPlace !== undefined) return {};
  return { chunksBefore: drafts.slice(0, place).filter(({ kind }) => kind !== "aside").length };
}

/** The index of the first data event at or after a place. */
function nextEvent(drafts: readonly Draft[], place: number): number {
  return drafts.findIndex((draft, index) => index >= place && draft.kind !== "aside");
}

function firstEnding(faults: readonly PlacedFault[]): PlacedFault | undefined {
  return faults
    .filter(({ fault }) => faultKinds[fault.kind].ending !== undefined)
    .toSorted((left, right) => left.place - right.place)[0];
}

/** A fault of a JSON reply. JSON has no chunks, so either nothing or half of the body precedes the fault. */
interface JsonFault {
  readonly fault: Fault;
  readonly partFirst: boolean;
}

/** The faults of a completion in order, with their places in a JSON reply. */
export function jsonFaults({ fault, choices }: Completion): readonly JsonFault[] {
  const said = new Set(choices.map(({ steps }) => steps));
  const faults = [...said].flatMap(faultsIn);
  return fault === undefined ? faults : [faultOf(fault), ...faults];
}

function faultOf(fault: Fault): JsonFault {
  return { fault, partFirst: (fault.afterChunks ?? fault.afterMs ?? 0) > 0 };
}

function faultsIn(steps: readonly Step[]): readonly JsonFault[] {
  let partFirst = false;
  return steps.flatMap((step) => {
    if (step.kind === "fault") return [{ fault: step.fault, partFirst }];
    partFirst ||= "whole" in step || step.kind === "toolCall";
    return [];
  });
}

/** When the parts of a JSON reply are sent. */
export interface JsonTiming {
  /** Milliseconds before the head of the reply. */
  readonly headMs: number;
  /** Divides the times of faults; 0 means no waiting. */
  readonly speed: number;
}

const atOnce: JsonTiming = { headMs: 0, speed: 1 };

/** A JSON reply with its faults applied. If several leave no whole answer, the first of them wins. */
export function faultyJson(
  reply: Reply,
  faults: readonly JsonFault[],
  wire: WireFaults,
  timing: JsonTiming = atOnce,
): Reply {
  const first = faults.find(endsEarly);
  const effects = effectsOf(faults);
  const read = effects.reduce((changed, { inJson }) => inJson?.(changed, wire) ?? changed, reply);
  if (first !== undefined) return endEarly(read, first, timing);
  return effects.reduce((changed, { inText }) => inText?.(changed) ?? changed, read);
}

/** Whether a fault leaves no whole answer. */
export function endsEarly({ fault }: JsonFault): boolean {
  return faultKinds[fault.kind].ending !== undefined;
}

/** The effects of faults, once for each kind. */
function effectsOf(faults: readonly { readonly fault: Fault }[]): readonly FaultEffect[] {
  const kinds = new Set(faults.map(({ fault }) => fault.kind));
  return [...kinds].map((kind) => faultEffects[kind]);
}

/**
 * An answer that is JSON even for streams, such as an error, with its script's fault if the draw says that it happens.
 */
export function withFault(
  reply: Reply,
  fault: Fault | undefined,
  { random, ...timing }: JsonTiming & { readonly random: () => number },
  wire: WireFaults,
): Reply {
  if (fault === undefined || !happens(fault, random)) return reply;
  return faultyJson(reply, [faultOf(fault)], wire, timing);
}

/** Any reply with a fault. The fault happens whatever its probability. */
export function breakReply(reply: Reply, fault: Fault, wire: WireFaults = chatFaults): Reply {
  const { body } = reply;
  if (body.kind !== "stream") return faultyJson(reply, [faultOf(fault)], wire);
  const { head, frames } = body.stream;
  const drafts = frames.map((frame) => draftOf(frame, wire));
  const stream = faultyStream(drafts, [placeFault(fault, drafts)], wire);
  const named = head === undefined ? {} : { head };
  return {
    ...reply,
    body: { kind: "stream", stream: { ...stream, ...named } },
    fault: answerFault(fault.kind, stream.end.chunksBefore),
  };
}

function draftOf({ at, data, isHeaded = false }: Frame, { kindOf }: WireFaults): Draft {
  const text = frameText({ data });
  const kind = kindOf(isHeaded ? `data: ${text}` : text);
  return { at, data, isHeaded, kind };
}

function endEarly(
  reply: Reply,
  { fault, partFirst }: JsonFault,
  { headMs, speed }: JsonTiming,
): Reply {
  const { answeredBy } = reply;
  // A fault with `afterMs` does not wait until the whole answer is due. The head is sent before the fault.
  const isTimed = fault.afterMs !== undefined;
  const after = speed === 0 ? 0 : (fault.afterMs ?? 0) / speed;
  const delayMs = isTimed ? headMs : reply.delayMs;
  const kept = {
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(answeredBy === undefined ? {} : { answeredBy }),
  };
  const instead = faultEffects[fault.kind].inPlaceOfJson?.(fault, reply, partFirst);
  if (instead !== undefined) {
    return { ...instead, ...kept, ...(isTimed ? { delayMs: headMs + after } : {}) };
  }
  const frames = partFirst ? [{ at: 0, data: firstHalf(textOf(reply)) }] : [];
  const stream = { frames, end: endAt(fault, after) };
  return { ...reply, ...kept, body: { kind: "stream", stream }, fault: answerFault(fault.kind) };
}

/** The fault of a stream that the journal shows: the one that ends the stream, else the first. */
export function decisiveFault(
  faults: readonly JsonFault[],
  end: EventStream["end"],
): AnswerFault | undefined {
  const found = faults.find(({ fault }) => fault.kind === end.fault) ?? faults[0];
  return found && answerFault(found.fault.kind, end.chunksBefore);
}

function endAt({ kind }: Fault, at: number): EventStream["end"] {
  return { how: faultKinds[kind].ending ?? "close", at, fault: kind };
}

/** Half of a text, without splitting a character. */
function firstHalf(text: string): string {
  const half = text.length >> 1;
  const code = text.charCodeAt(half);
  return text.slice(0, code >= 0xdc00 && code <= 0xdfff ? half - 1 : half);
}

/**
 * The completion with only the faults that happen. Draws one number per fault with a probability: the reply's fault
 * first, then those among its chunks in order, once where choices have the same text.
 */
export function drawFaults(completion: Completion, random: () => number): Completion {
  const { fault, choices } = completion;
  const happening = fault !== undefined && happens(fault, random) ? fault : undefined;
  const known = new Map<readonly Step[], readonly Step[]>();
  const drawn = choices.map((choice): CompletionChoice => {
    const steps =
      known.get(choice.steps) ??
      choice.steps.filter((step) => step.kind !== "fault" || happens(step.fault, random));
    known.set(choice.steps, steps);
    return { ...choice, steps };
  });
  return { ...completion, fault: happening, choices: drawn };
}

/** Whether a fault happens this time. */
export function happens({ probability }: Fault, random: () => number): boolean {
  return probability === undefined || random() < probability;
}
