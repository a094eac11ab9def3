import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { entryKey } from "./summary.ts";

/** What happened between two requests. */
export interface Divider {
  /** In which run of the server, from 1. */
  readonly run: number;
  /** The number of the last request of that run before it; 0: it began the run. */
  readonly after: number;
  readonly at: string;
  /** Such as `fixtures reloaded`. */
  readonly what: string;
}

/** An entry of a run of the server that is over: with an id of its own, since the next run counts from 1 again. */
export function ofRun(run: number, entry: JournalEntry): JournalEntry {
  const id = `${run}-${entry.id}`;
  if (entry.ended !== "pending") return { ...entry, id };
  return { ...entry, id, ended: "reset", problem: "the server ended before the answer" };
}

/** The words of dividers by the entry that they stand above, in a list with the latest first. */
export function placedDividers(
  shown: readonly JournalEntry[],
  dividers: readonly Divider[],
  session: string | null,
): ReadonlyMap<string, string> {
  const lastRun = Math.max(1, ...dividers.map(({ run }) => run));
  const placed = new Map<string, string>();
  for (const divider of dividers) {
    const below = shown.find((entry) => isBefore(entry, divider, { lastRun, session }));
    if (below === undefined) continue;
    const words = `${divider.what}, ${divider.at.slice(11, 16)}`;
    const others = placed.get(entryKey(below));
    placed.set(entryKey(below), others === undefined ? words : `${words} · ${others}`);
  }
  return placed;
}

function isBefore(
  entry: JournalEntry,
  { run, after, at }: Divider,
  { lastRun, session }: { readonly lastRun: number; readonly session: string | null },
): boolean {
  const [, earlierRun, number = entry.id] = /^(\d+)-(\d+)$/.exec(entry.id) ?? [];
  const ownRun = earlierRun === undefined ? lastRun : Number(earlierRun);
  if (ownRun !== run) return ownRun < run;
  return entry.session === session ? Number(number) <= after : entry.at <= at;
}
