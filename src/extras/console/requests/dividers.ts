import { shareDetails } from "./details.ts";
import { localClock } from "../parts/local-time.ts";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";

/** What happened between two requests. */
export interface Divider {
  /** The run of the server in which it happened, from 1. */
  readonly run: number;
  /** The number of the last request before it in that run; 0: none. */
  readonly after: number;
  readonly at: string;
  /** Such as `fixtures reloaded`. */
  readonly what: string;
}

/** An entry of an earlier run of the server. It gets an id of its own, since the next run counts from 1 again. */
export function entryOfRun(run: number, entry: JournalSummary): JournalSummary {
  const id = `${run}-${entry.id}`;
  const isOver = entry.ended !== "pending";
  const kept: JournalSummary = isOver
    ? { ...entry, id }
    : { ...entry, id, ended: "reset", problem: "the server ended before the answer" };
  shareDetails(entry, kept);
  return kept;
}

/** A line of the list that says what happened between the requests above and below it. */
export interface DividerLine {
  /** Such as `fixtures reloaded, 12:03`. */
  readonly divider: string;
}

/** A line of the list. */
export type ListLine = JournalSummary | DividerLine;

export function isDivider(line: object): line is DividerLine {
  return "divider" in line;
}

/** A list of requests, the latest first, with a line for each divider above the last request before it. */
export function withDividers(
  shown: readonly JournalSummary[],
  dividers: readonly Divider[],
  session: string | null,
): readonly ListLine[] {
  if (dividers.length === 0) return shown;
  const lastRun = Math.max(1, ...dividers.map(({ run }) => run));
  const lines: ListLine[] = [];
  let from = 0;
  for (const divider of dividers.toReversed()) {
    const to = shown.findIndex((entry) => isBefore(entry, divider, { lastRun, session }));
    if (to === -1) break;
    const words = `${divider.what}, ${localClock(divider.at).slice(0, 5)}`;
    for (const entry of shown.slice(from, to)) lines.push(entry);
    from = Math.max(from, to);
    lines.push({ divider: words });
  }
  return [...lines, ...shown.slice(from)];
}

function isBefore(
  entry: JournalSummary,
  { run, after, at }: Divider,
  { lastRun, session }: { readonly lastRun: number; readonly session: string | null },
): boolean {
  const [, earlierRun, number = entry.id] = /^(\d+)-(\d+)$/.exec(entry.id) ?? [];
  const ownRun = earlierRun === undefined ? lastRun : Number(earlierRun);
  if (ownRun !== run) return ownRun < run;
  return entry.session === session ? Number(number) <= after : entry.at <= at;
}
