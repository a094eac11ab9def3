import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { cellAfter } from "../parts/grid.ts";
import { isDivider, type ListLine } from "./dividers.ts";
import { entryKey } from "./summary.ts";
import type { Attempt, Thread, Threads } from "./threads.ts";

/** A line that stands for the requests of a conversation. */
export interface ThreadLine {
  readonly thread: Thread;
  /** The conversation's requests that are listed, in the order of the list. */
  readonly listed: readonly Attempt[];
  readonly isOpen: boolean;
}

/** A line for a step, below the line of its conversation. */
export interface StepLine {
  readonly attempt: Attempt;
}

/** A line of the list: a request, or a conversation with its requests, or what happened in between. */
export type GridLine = ListLine | ThreadLine | StepLine;

export function isThread(line: GridLine): line is ThreadLine {
  return "thread" in line;
}

export function isStep(line: GridLine): line is StepLine {
  return "attempt" in line;
}

/** The request of a line; undefined for a line that stands for several requests, or for none. */
export function requestOf(line: GridLine): JournalSummary | undefined {
  if (isStep(line)) return line.attempt.entry;
  return isThread(line) || isDivider(line) ? undefined : line;
}

/** The key of a line, unique in the list; undefined for a divider. */
export function lineKey(line: GridLine): string | undefined {
  if (isThread(line)) return threadKey(line.thread);
  const entry = requestOf(line);
  return entry && entryKey(entry);
}

/** The key of a conversation, which stays the same while it grows. */
export function threadKey({ steps: [first] }: Thread): string {
  const entry = first?.attempts[0]?.entry;
  return `thread ${entry === undefined ? "" : entryKey(entry)}`;
}

/**
 * Puts the requests of each conversation under one line, at the place of the first of them. If the conversation is
 * open, its steps follow in order. A conversation of one step gets no line of its own, however often it was tried.
 */
export function withThreads(
  lines: readonly ListLine[],
  threads: Threads,
  open: ReadonlySet<string>,
): readonly GridLine[] {
  const grouped: GridLine[] = [];
  const found: Attempt[][] = [];
  for (const line of lines) {
    const attempt = isDivider(line) ? undefined : threads.attemptOf(line);
    const thread = attempt?.step.thread;
    if (attempt === undefined || thread === undefined || thread.steps.length === 1) {
      grouped.push(line);
      continue;
    }
    const listed = found[thread.index];
    if (listed === undefined) {
      const first = [attempt];
      found[thread.index] = first;
      grouped.push({ thread, listed: first, isOpen: open.has(threadKey(thread)) });
    } else {
      listed.push(attempt);
    }
  }
  return open.size === 0 ? grouped : grouped.flatMap(withSteps);
}

function withSteps(line: GridLine): GridLine | readonly GridLine[] {
  if (!isThread(line) || !line.isOpen) return line;
  const steps = line.listed.toSorted(
    (one, other) => one.step.number - other.step.number || one.number - other.number,
  );
  return [line, ...steps.map((attempt) => ({ attempt }))];
}

/** The listed request of a conversation that arrived last. */
export function latestIn({ listed }: ThreadLine): JournalSummary | undefined {
  const [first, ...others] = listed.map(({ entry }) => entry);
  return others.reduce<JournalSummary | undefined>(
    (latest, entry) => (latest !== undefined && entry.at < latest.at ? latest : entry),
    first,
  );
}

/** The line of a request, or that of its conversation if it is folded; -1 if neither is there. */
export function lineOf(lines: readonly GridLine[], key: string): number {
  return lines.findIndex((line) =>
    isThread(line) && !line.isOpen
      ? line.listed.some(({ entry }) => entryKey(entry) === key)
      : lineKey(line) === key,
  );
}

/** The effect of a key in the list: it opens or folds a conversation, or moves to a line. */
export type ListMove =
  | { readonly thread: Thread; readonly isOpen: boolean }
  | { readonly to: number };

/** The effect of a key at a line; undefined for a key that has none. */
export function moveFrom(
  lines: readonly GridLine[],
  at: number,
  key: string,
): ListMove | undefined {
  const line = lines[at];
  if (line !== undefined && isThread(line)) {
    const { thread, isOpen } = line;
    if (key === "Enter") return { thread, isOpen: !isOpen };
    if (key === "ArrowLeft") return { thread, isOpen: false };
    if (key === "ArrowRight") return isOpen ? { to: at + 1 } : { thread, isOpen: true };
  } else if (line !== undefined && isStep(line)) {
    if (key === "ArrowLeft")
      return { to: lines.findLastIndex((one, index) => index < at && isThread(one)) };
    if (key === "ArrowRight") return { to: at };
  }
  if (key === "ArrowLeft" || key === "ArrowRight") return undefined;
  const size = { rows: lines.length, columns: 1 };
  const next = cellAfter({ key, ctrlKey: true }, { row: at, column: 0 }, size);
  return next && nearestLine(lines, at, next.row);
}

/** The nearest line in a direction, without dividers. */
function nearestLine(lines: readonly GridLine[], from: number, to: number): ListMove | undefined {
  const step = to < from ? -1 : 1;
  for (let at = to; at >= 0 && at < lines.length; at += step) {
    const line = lines[at];
    if (line !== undefined && !isDivider(line)) return { to: at };
  }
  return undefined;
}
