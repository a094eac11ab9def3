import { answerInChatForm } from "../../../core/chat/forms/responses-answer.ts";
import { isObject, isPresent, type JsonObject } from "../../../core/schema/json.ts";
import type { JournalFrame } from "../../../core/emulator/journal/response.ts";
import { eventReader, type StreamEvent } from "../api/stream-events.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";

/** The kinds of frames, with their tones and the heights of their ticks on the time axis. */
export const frameKinds = {
  role: { tone: "muted", height: 16 },
  reasoning: { tone: "violet", height: 28 },
  content: { tone: "accent", height: 28 },
  tool: { tone: "warn", height: 28 },
  refusal: { tone: "bad", height: 28 },
  finish: { tone: "good", height: 24 },
  usage: { tone: "muted", height: 16 },
  done: { tone: "good", height: 34 },
  comment: { tone: "muted", height: 10 },
  error: { tone: "bad", height: 38 },
  malformed: { tone: "bad", height: 38 },
  other: { tone: "muted", height: 16 },
} as const;
export type FrameKind = keyof typeof frameKinds;

/** An event of a stream, and when it arrived. */
export interface ReceivedFrame {
  /** When the event arrived, in milliseconds after the request was sent. */
  readonly at: number;
  readonly raw: string;
  readonly kind: FrameKind;
  /** The event's data, parsed if it is JSON, else the text. */
  readonly data: unknown;
  /** Whether a fault sent the frame again. A script may have the same chunk twice, which is no fault. */
  readonly isDuplicate: boolean;
}

/** Makes a frame from an event's data, and determines its kind. `raw` is the text as it was sent, if known. */
export function frameOf(
  { type, data, raw = data }: StreamEvent & { readonly raw?: string },
  at: number,
): ReceivedFrame {
  const common = { at, raw, data: undefined, isDuplicate: false };
  if (type === undefined) return { ...common, kind: "comment" };
  if (data === "[DONE]") return { ...common, kind: "done" };
  try {
    const parsed: unknown = JSON.parse(data);
    return { ...common, kind: kindOf(parsed), data: parsed };
  } catch {
    return { ...common, kind: "malformed" };
  }
}

/** Marks the frame that a fault sent again, if there is one. */
export function withDuplicate(
  frames: readonly ReceivedFrame[],
  fault: JournalEntry["brokenBy"],
): readonly ReceivedFrame[] {
  if (fault?.kind !== "duplicate") return frames;
  const events = frames.filter(({ kind }) => kind !== "comment");
  const again = events[(fault.afterChunks ?? 0) + 1];
  return frames.map((frame) => (frame === again ? { ...frame, isDuplicate: true } : frame));
}

/** The frames of an answer for the time axis, without those that were not sent. */
export function receivedFrames(
  frames: readonly JournalFrame[],
  fault: JournalEntry["brokenBy"] = null,
): readonly ReceivedFrame[] {
  return withDuplicate(frames.map(readFrame), fault);
}

/** Frames that were read before. Several parts of the page show the same ones, and a running stream only adds to them. */
const readBefore = new WeakMap<JournalFrame, ReceivedFrame>();

function readFrame(frame: JournalFrame): ReceivedFrame {
  const known = readBefore.get(frame);
  if (known !== undefined) return known;
  const { data: raw, dueMs, sentMs } = frame;
  const events = eventReader()(raw);
  const [first = { type: "message", data: raw }] = events;
  const event = events.find(({ type }) => type !== undefined) ?? first;
  const read = frameOf({ ...event, raw }, sentMs ?? dueMs);
  readBefore.set(frame, read);
  return read;
}

/** The parts of a delta that decide a chunk's kind; the first present one wins. */
const byDelta: readonly (readonly [string, FrameKind])[] = [
  ["tool_calls", "tool"],
  ["reasoning_content", "reasoning"],
  ["refusal", "refusal"],
  ["content", "content"],
  ["role", "role"],
];

function kindOf(data: unknown): FrameKind {
  if (!isObject(data)) return "other";
  const chunk = answerInChatForm(data) ?? data;
  if (isObject(chunk["error"]) || isFailure(data)) return "error";
  const choices = Array.isArray(chunk["choices"]) ? chunk["choices"].filter(isObject) : [];
  const said = choices.map(({ delta }) => (isObject(delta) ? delta : {}));
  for (const [name, kind] of byDelta) {
    const isIn = (part: unknown): boolean => isPresent(part) && (part !== "" || kind === "role");
    if (said.some((delta) => isIn(delta[name]))) return kind;
  }
  if (choices.some(({ finish_reason: reason }) => typeof reason === "string")) return "finish";
  return isObject(chunk["usage"]) ? "usage" : "other";
}

/** Whether an event of Responses says that the response failed. */
function isFailure({ type }: JsonObject): boolean {
  return type === "error" || type === "response.failed";
}

/** The tone of a frame. A frame that a fault sent again is shown as an error. */
export function toneOf({ kind, isDuplicate }: ReceivedFrame): string {
  return frameKinds[isDuplicate ? "error" : kind].tone;
}

/**
 * What is new in a frame compared with the one before it, and its deltas. A frame that is not JSON is shown as it is.
 */
export function newsOf({ data, raw }: ReceivedFrame, before: ReceivedFrame | undefined): string {
  if (!isObject(data)) return raw.trimEnd();
  const known = new Map(leavesOf(before?.data, ""));
  const news = leavesOf(data, "").filter(
    ([path, value]) => path.includes(".delta.") || known.get(path) !== value,
  );
  return news.map(([path, value]) => `${path} ${value}`).join("\n") || "nothing new";
}

/** The leaves of a value, such as texts and numbers, as JSON with their paths. */
function leavesOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) {
    return value === undefined ? [] : [[path, JSON.stringify(value)]];
  }
  return Object.entries(value).flatMap(([key, part]) =>
    leavesOf(part, path === "" ? key : `${path}.${key}`),
  );
}

export type Ending = JournalEntry["ended"];

interface EndingWords {
  readonly words: string;
  /** The colour of the words. An ending as it should be has none. */
  readonly tone: "" | "muted" | "warn" | "bad";
}

/** How answers end, in words, with their tones. */
export const endings: Readonly<Record<Ending, EndingWords>> = {
  pending: { words: "under way", tone: "muted" },
  complete: { words: "complete", tone: "" },
  /** The stream ended properly, but too soon. */
  cut: { words: "cut short", tone: "bad" },
  /** The connection broke. */
  reset: { words: "broken off", tone: "bad" },
  /** Nothing more was sent, but the connection stayed open. */
  stalled: { words: "stalled", tone: "bad" },
  /** Nothing came at all. */
  hung: { words: "never answered", tone: "bad" },
  malformed: { words: "malformed", tone: "bad" },
  /** An event came twice. */
  duplicated: { words: "duplicated", tone: "bad" },
  /** The stream ended with an error. */
  failed: { words: "failed", tone: "bad" },
  noFinish: { words: "unfinished", tone: "warn" },
  aborted: { words: "stopped by the client", tone: "warn" },
  refused: { words: "refused", tone: "warn" },
};

/** A pause between two frames. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The times of a stream. All are in milliseconds after the request was sent. */
export interface StreamTimeline {
  /** When the first frame with content, reasoning, a tool call or a refusal arrived. */
  readonly firstTokenMs: number | undefined;
  readonly totalMs: number;
  readonly longestGap: Gap | undefined;
  /** The gaps that are much longer than the others, longest first, at most eight. */
  readonly gaps: readonly Gap[];
  /** The problems of the stream, in sentences. */
  readonly oddities: readonly string[];
}

const saying: readonly string[] = ["content", "reasoning", "tool", "refusal"];
const shortestGapMs = 150;
const mostGaps = 8;

/** When a stream ended, and how; or the time so far. */
interface StreamEnding {
  readonly elapsedMs: number;
  readonly outcome: Ending;
}

/** The last timeline of each list of frames. Several parts of the page show it, and 40,000 frames take a while. */
const timelines = new WeakMap<
  readonly ReceivedFrame[],
  StreamEnding & { readonly timeline: StreamTimeline }
>();

/** Reads a stream's times. `elapsedMs` is when it ended, or now. */
export function timelineOf(
  frames: readonly ReceivedFrame[],
  { elapsedMs, outcome }: StreamEnding,
): StreamTimeline {
  const known = timelines.get(frames);
  if (known?.elapsedMs === elapsedMs && known.outcome === outcome) return known.timeline;
  const timeline = readTimeline(frames, { elapsedMs, outcome });
  timelines.set(frames, { elapsedMs, outcome, timeline });
  return timeline;
}

function readTimeline(
  frames: readonly ReceivedFrame[],
  { elapsedMs, outcome }: StreamEnding,
): StreamTimeline {
  const totalMs = Math.max(elapsedMs, frames.at(-1)?.at ?? 0);
  const gaps = gapsBetween(frames, outcome === "complete" ? undefined : totalMs);
  return {
    firstTokenMs: frames.find(({ kind }) => saying.includes(kind))?.at,
    totalMs,
    longestGap: longestOf(gaps),
    gaps: standingOut(gaps),
    oddities: oddities(frames, outcome),
  };
}

/** All times between two frames; for an unfinished stream also the time after the last. */
function gapsBetween(frames: readonly ReceivedFrame[], end: number | undefined): readonly Gap[] {
  const times = frames.map(({ at }) => at);
  const ends = end === undefined ? times.slice(1) : [...times.slice(1), end];
  return ends.map((to, index) => ({ from: times[index] ?? 0, to }));
}

/** The longest gap; of several the first. */
function longestOf(gaps: readonly Gap[]): Gap | undefined {
  let longest = gaps[0];
  for (const gap of gaps) {
    if (longest === undefined || lengthOf(gap) > lengthOf(longest)) longest = gap;
  }
  return longest;
}

/** The gaps that are much longer than the others. A stream with an even pace has none. */
function standingOut(gaps: readonly Gap[]): readonly Gap[] {
  const long = gaps.filter((gap) => lengthOf(gap) >= shortestGapMs);
  if (long.length === 0) return [];
  // A typed array is sorted fast, and this runs several times a second for a running stream.
  const lengths = new Float64Array(gaps.map(lengthOf)).toSorted();
  const usual = lengths[lengths.length - 1 - Math.floor((gaps.length * 3) / 4)] ?? 0;
  const found = long.filter((gap) => gaps.length < 3 || lengthOf(gap) >= 3 * usual);
  return found.toSorted((one, other) => lengthOf(other) - lengthOf(one)).slice(0, mostGaps);
}

function lengthOf({ from, to }: Gap): number {
  return to - from;
}

function oddities(frames: readonly ReceivedFrame[], outcome: Ending): readonly string[] {
  const found: string[] = [];
  frames.forEach(({ kind, isDuplicate }, index) => {
    if (kind === "malformed") found.push(`Frame ${index + 1} is not valid JSON.`);
    if (kind === "error") found.push(`Frame ${index + 1} is an error.`);
    if (isDuplicate) found.push(`Frame ${index + 1} is the one before, sent again by a fault.`);
  });
  const isOver = outcome === "complete" || outcome === "cut";
  if (isOver && frames.length > 0 && !hasFinish(frames))
    found.push("No chunk has a finish reason.");
  if (outcome === "cut") found.push("The stream ended too soon, without its last event.");
  if (outcome === "reset") found.push("The connection broke.");
  return found;
}

/** Whether a chunk says why the answer ended. It is one of the last, so they are read from the end. */
function hasFinish(frames: readonly ReceivedFrame[]): boolean {
  const found = frames.findLast(({ kind, data }) => kind === "finish" || hasFinishReason(data));
  return found !== undefined;
}

function hasFinishReason(data: unknown): boolean {
  return /"finish_reason":"/.test(JSON.stringify(data) ?? "");
}

/** A tick of the time axis, which stands for all frames of one kind that are drawn at its place. */
export interface Tick {
  /** The tick's place on the axis, from 0 to 1. */
  readonly at: number;
  readonly frame: ReceivedFrame;
}

/** The number of places on the axis. Nobody could tell more of them apart. */
const places = 800;

/** The ticks for frames on an axis of a length in milliseconds: one for each place and kind, however many frames came. */
export function ticksOf(frames: readonly ReceivedFrame[], spanMs: number): readonly Tick[] {
  const ticks = new Map<string, Tick>();
  let last: { readonly place: number; readonly kind: FrameKind } | undefined;
  for (const frame of frames) {
    const place = placeAt(frame.at, spanMs);
    const { kind } = frame;
    // Most frames fall on the place of the frame before. Skipping them here saves a text for each of 40,000 frames.
    if (last?.place === place && last.kind === kind && !frame.isDuplicate) continue;
    last = frame.isDuplicate ? undefined : { place, kind };
    const key = `${place} ${frame.kind} ${frame.isDuplicate}`;
    if (!ticks.has(key)) ticks.set(key, { at: place / places, frame });
  }
  return [...ticks.values()];
}

/** The places on the axis for times, each once, from 0 to 1. */
export function placesOf(times: readonly number[], spanMs: number): readonly number[] {
  return [...new Set(times.map((ms) => placeAt(ms, spanMs)))].map((place) => place / places);
}

function placeAt(ms: number, spanMs: number): number {
  return Math.round(Math.min(ms / spanMs, 1) * places);
}

/** Round numbers of milliseconds for the labels of the axis, from 0 on. */
export function axisTimes(totalMs: number, most = 5): readonly number[] {
  const rough = Math.max(totalMs, 1) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const times: number[] = [];
  for (let time = 0; time <= totalMs; time += step) times.push(time);
  return times;
}

/** A duration in few characters. */
export function showDuration(ms: number): string {
  if (ms >= 1000) return `${Number((ms / 1000).toFixed(ms < 10_000 ? 2 : 1))} s`;
  return `${Number(ms.toFixed(ms < 100 ? 1 : 0))} ms`;
}
