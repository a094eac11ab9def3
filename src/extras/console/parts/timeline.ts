import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { ReceivedFrame } from "./frames.ts";

export type Ending = JournalEntry["ended"];

interface EndingWords {
  readonly words: string;
  readonly tone: "muted" | "good" | "warn" | "bad";
}

/** How an answer ended: in words, and their tone. */
export const endings: Readonly<Record<Ending, EndingWords>> = {
  pending: { words: "under way", tone: "muted" },
  complete: { words: "complete", tone: "good" },
  /** In order, but too soon. */
  cut: { words: "cut short", tone: "bad" },
  /** The connection broke. */
  reset: { words: "broken off", tone: "bad" },
  /** It stopped, and the connection stayed open. */
  stalled: { words: "stalled", tone: "bad" },
  /** Nothing came at all. */
  hung: { words: "never answered", tone: "bad" },
  malformed: { words: "malformed", tone: "bad" },
  noFinish: { words: "unfinished", tone: "warn" },
  aborted: { words: "stopped by the client", tone: "warn" },
  refused: { words: "refused", tone: "warn" },
};

/** A time without frames. */
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
  /** The conspicuous gaps, longest first, at most eight. */
  readonly gaps: readonly Gap[];
  /** Problems, in sentences. */
  readonly oddities: readonly string[];
}

const saying: readonly string[] = ["content", "reasoning", "tool", "refusal"];
const shortestGapMs = 150;
const mostGaps = 8;

/** Reads a stream's times. `elapsedMs` is when it ended, or now. */
export function timelineOf(
  frames: readonly ReceivedFrame[],
  { elapsedMs, outcome }: { readonly elapsedMs: number; readonly outcome: Ending },
): StreamTimeline {
  const totalMs = Math.max(elapsedMs, frames.at(-1)?.at ?? 0);
  const gaps = gapsBetween(frames, outcome === "complete" ? undefined : totalMs);
  return {
    firstTokenMs: frames.find(({ kind }) => saying.includes(kind))?.at,
    totalMs,
    longestGap: gaps[0],
    gaps: standingOut(gaps),
    oddities: oddities(frames, outcome),
  };
}

/** All times between two frames, longest first; for an unfinished stream also the time after the last. */
function gapsBetween(frames: readonly ReceivedFrame[], end: number | undefined): readonly Gap[] {
  const times = frames.map(({ at }) => at);
  const ends = end === undefined ? times.slice(1) : [...times.slice(1), end];
  return ends
    .map((to, index) => ({ from: times[index] ?? 0, to }))
    .toSorted((left, right) => lengthOf(right) - lengthOf(left));
}

/** Gaps much longer than the shorter ones. An even pace has none. */
function standingOut(gaps: readonly Gap[]): readonly Gap[] {
  const short = gaps[Math.floor((gaps.length * 3) / 4)];
  const usual = short === undefined ? 0 : lengthOf(short);
  const isLong = (gap: Gap): boolean =>
    lengthOf(gap) >= shortestGapMs && (gaps.length < 3 || lengthOf(gap) >= 3 * usual);
  return gaps.filter(isLong).slice(0, mostGaps);
}

function lengthOf({ from, to }: Gap): number {
  return to - from;
}

function oddities(frames: readonly ReceivedFrame[], outcome: Ending): readonly string[] {
  const found: string[] = [];
  frames.forEach(({ kind, isRepeated }, index) => {
    if (kind === "malformed") found.push(`Frame ${index + 1} is not valid JSON.`);
    if (kind === "error") found.push(`Frame ${index + 1} is an error.`);
    if (isRepeated) found.push(`Frame ${index + 1} repeats the one before.`);
  });
  const isOver = outcome === "complete" || outcome === "cut";
  const hasFinish = frames.some(({ kind, data }) => kind === "finish" || hasFinishReason(data));
  if (isOver && frames.length > 0 && !hasFinish) found.push("No chunk has a finish reason.");
  if (outcome === "cut") found.push("The stream ended without [DONE].");
  if (outcome === "reset") found.push("The connection broke.");
  return found;
}

function hasFinishReason(data: unknown): boolean {
  return /"finish_reason":"/.test(JSON.stringify(data) ?? "");
}

/** Round times for the axis, from 0 on. */
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
  if (ms < 1) return ms === 0 ? "0" : "< 1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return `${Number((ms / 1000).toFixed(ms < 10_000 ? 2 : 1))} s`;
}
