import { isObject } from "../../../core/schema/json.ts";
import type { JournalFrame } from "../../../core/emulator/journal/response.ts";
import { EventReader, type StreamEvent } from "../api/event-reader.ts";

/** The kinds of frames: their tone, and the height of their tick on the time axis. */
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

/** An event of a stream, and when it came. */
export interface ReceivedFrame {
  /** Milliseconds after the request was sent. */
  readonly at: number;
  readonly raw: string;
  readonly kind: FrameKind;
  /** Parsed, where it is JSON. */
  readonly data: unknown;
  /** Whether it is the same as the one before. */
  readonly isRepeated: boolean;
}

/** The kind of an event, by its data. */
export function frameOf(
  event: StreamEvent,
  at: number,
  before: ReceivedFrame | undefined,
): ReceivedFrame {
  const { raw, type, data } = event;
  const isRepeated = type !== undefined && before?.raw === raw;
  if (type === undefined) return { at, raw, kind: "comment", data: undefined, isRepeated: false };
  if (data === "[DONE]") return { at, raw, kind: "done", data: undefined, isRepeated };
  try {
    const parsed: unknown = JSON.parse(data);
    return { at, raw, kind: kindOf(parsed), data: parsed, isRepeated };
  } catch {
    return { at, raw, kind: "malformed", data: undefined, isRepeated };
  }
}

/** The frames of an answer as the time axis has them: those that were not sent at the time that was planned. */
export function receivedFrames(frames: readonly JournalFrame[]): readonly ReceivedFrame[] {
  const made: ReceivedFrame[] = [];
  for (const { data, dueMs, sentMs } of frames) {
    const [event = { raw: data, type: "message", data }] = new EventReader().push(data);
    made.push(frameOf(event, sentMs ?? dueMs, made.at(-1)));
  }
  return made;
}

/** The parts of a delta that decide a chunk's kind; the first present one wins. */
const byDelta: readonly (readonly [string, FrameKind])[] = [
  ["tool_calls", "tool"],
  ["reasoning_content", "reasoning"],
  ["refusal", "refusal"],
  ["content", "content"],
  ["role", "role"],
];

function kindOf(chunk: unknown): FrameKind {
  if (!isObject(chunk)) return "other";
  if (isObject(chunk["error"])) return "error";
  const choices = Array.isArray(chunk["choices"]) ? chunk["choices"].filter(isObject) : [];
  const said = choices.map(({ delta }) => (isObject(delta) ? delta : {}));
  for (const [name, kind] of byDelta) {
    const isIt = kind === "role" ? hasAny : hasSome;
    if (said.some((delta) => isIt(delta[name]))) return kind;
  }
  if (choices.some(({ finish_reason: reason }) => typeof reason === "string")) return "finish";
  return isObject(chunk["usage"]) ? "usage" : "other";
}

function hasAny(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function hasSome(value: unknown): boolean {
  return hasAny(value) && value !== "";
}

/** The tone of a frame; one that repeats the one before is an error. */
export function toneOf({ kind, isRepeated }: ReceivedFrame): string {
  return frameKinds[isRepeated ? "error" : kind].tone;
}

/** What a frame says that the one before it did not, and its deltas; a frame without JSON as it is. */
export function newsOf({ data, raw }: ReceivedFrame, before: ReceivedFrame | undefined): string {
  if (!isObject(data)) return raw.trimEnd();
  const known = new Map(leavesOf(before?.data, ""));
  const news = leavesOf(data, "").filter(
    ([path, value]) => path.includes(".delta.") || known.get(path) !== value,
  );
  return news.map(([path, value]) => `${path} ${value}`).join("\n") || "nothing new";
}

/** The texts, numbers and so on within a value as JSON, with their paths. */
function leavesOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) {
    return value === undefined ? [] : [[path, JSON.stringify(value)]];
  }
  return Object.entries(value).flatMap(([key, part]) =>
    leavesOf(part, path === "" ? key : `${path}.${key}`),
  );
}
