import type { EventStream, Frame, StreamEnd } from "../../http/event-stream.ts";
import { faultError } from "./fault-error.ts";
import type { Fault, FaultKind } from "../scripts/script.ts";

/** A frame of a stream in which nothing has gone wrong yet. Only asides (comments, raw bytes) are no events with data. */
export interface Draft extends Frame {
  readonly data: string;
  readonly isHeaded: boolean;
  readonly kind: "chunk" | "finish" | "done" | "aside";
}

/** A fault among the frames. */
export interface PlacedFault {
  readonly fault: Fault;
  /** How many frames come before it. */
  readonly place: number;
  /** When it happens, in milliseconds after the start of the stream. */
  readonly at: number;
}

/**
 * The place of a reply's fault: right behind the event that `afterChunks` counts up to, at the time of the next.
 * The last that it can take the place of is `[DONE]`.
 */
export function placeFault(fault: Fault, drafts: readonly Draft[]): PlacedFault {
  const { afterChunks = 0 } = fault;
  let place = 0;
  let events = 0;
  for (const [index, { kind, at }] of drafts.entries()) {
    if (kind === "aside") continue;
    if (events === afterChunks || kind === "done") return { fault, place, at };
    events += 1;
    place = index + 1;
  }
  return { fault, place, at: drafts.at(-1)?.at ?? 0 };
}

/** How a stream ends early. */
const endings: Partial<Readonly<Record<FaultKind, StreamEnd>>> = {
  stall: "hang",
  cut: "close",
  reset: "reset",
  error: "close",
};

/** A stream in which everything goes wrong that is to. Of the faults that end it, the first in place counts. */
export function faultyStream(
  drafts: readonly Draft[],
  faults: readonly PlacedFault[],
): EventStream {
  const ending = firstEnding(faults);
  const missing = { finish: has(faults, "noFinish"), done: has(faults, "noDone") };
  const broken = eventsAfter(drafts, faults, "malformed");
  const doubled = eventsAfter(drafts, faults, "duplicate");
  const frames: Frame[] = [];
  for (const [index, draft] of drafts.slice(0, ending?.place).entries()) {
    const { kind, at, data, isHeaded } = draft;
    if ((kind === "finish" || kind === "done") && missing[kind]) continue;
    const frame = broken.has(index) ? { at, data: breakEvent(data), isHeaded } : draft;
    frames.push(frame);
    if (doubled.has(index)) frames.push(frame);
  }
  if (ending === undefined) return { frames, end: { how: "close", at: frames.at(-1)?.at ?? 0 } };
  const { at, fault } = ending;
  if (fault.kind === "error") frames.push({ at, data: errorEvent(fault) });
  return { frames, end: { how: endings[fault.kind] ?? "close", at } };
}

function firstEnding(faults: readonly PlacedFault[]): PlacedFault | undefined {
  return faults
    .filter(({ fault }) => endings[fault.kind] !== undefined)
    .toSorted((left, right) => left.place - right.place)[0];
}

function has(faults: readonly PlacedFault[], kind: FaultKind): boolean {
  return faults.some(({ fault }) => fault.kind === kind);
}

/** The events that come right after the faults of a kind, by their indexes. */
function eventsAfter(
  drafts: readonly Draft[],
  faults: readonly PlacedFault[],
  kind: FaultKind,
): ReadonlySet<number> {
  const places = faults.flatMap(({ fault, place }) => (fault.kind === kind ? [place] : []));
  return new Set(
    places.map((place) => drafts.findIndex((draft, index) => index >= place && isEvent(draft))),
  );
}

function isEvent({ kind }: Draft): boolean {
  return kind !== "aside";
}

/** An event without the last character of its data, which is never JSON then. */
function breakEvent(data: string): string {
  return `${data.slice(0, -"}\n\n".length)}\n\n`;
}

function errorEvent(fault: Fault): string {
  const { message, type, param, code } = faultError(fault);
  return `data: ${JSON.stringify({ error: { message, type, param, code } })}\n\n`;
}
