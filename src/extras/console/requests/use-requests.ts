import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { useEffect, useMemo, useState } from "preact/hooks";
import { counted } from "../../../core/errors/show.ts";
import type { Client } from "../api/client.ts";
import { watchRequests, type WatchState } from "../api/watch-requests.ts";
import { isOwn } from "./filter.ts";
import { entryKey, requestTarget } from "./summary.ts";

/** The known part of the journal, and how it is followed. */
export interface WatchedRequests {
  /** In the order in which they arrived. */
  readonly entries: readonly JournalEntry[];
  readonly state: WatchState;
  /** Has the requests of all sessions watched, or only those of the page's own. */
  readonly watchAll: (ofAll: boolean) => void;
}

/** The most entries that are kept. */
const keptEntries = 50_000;
/** How long what happens is gathered before it is shown, in milliseconds. */
const gatherMs = 100;

/** When pending requests arrived, by the page's clock: that of the emulator may stand still. */
const arrivals = new WeakMap<JournalEntry, number>();

/** How long a request has taken until now, in milliseconds. */
export function takenMs(entry: JournalEntry): number {
  const arrival = arrivals.get(entry);
  return arrival === undefined ? entry.durationMs : performance.now() - arrival;
}

/** Keeps an entry in place of what was known of it, and forgets the oldest of too many. */
export function keepEntry(known: Map<string, JournalEntry>, entry: JournalEntry): void {
  if (entry.ended === "pending") arrivals.set(entry, performance.now() - entry.durationMs);
  known.set(entryKey(entry), entry);
  const [oldest] = known.size > keptEntries ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
}

const nothingWatched: Omit<WatchedRequests, "watchAll"> = { entries: [], state: "connecting" };

/** Follows the journal while the page is shown. */
export function useRequests(client: Client, announce: (text: string) => void): WatchedRequests {
  const [watched, setWatched] = useState(nothingWatched);
  const [ofAll, watchAll] = useState(false);
  useEffect(() => {
    const ending = new AbortController();
    let known = new Map<string, JournalEntry>();
    let state: WatchState = "connecting";
    let ended: JournalEntry[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      timer = undefined;
      setWatched({ entries: [...known.values()], state });
      const [first, ...more] = ended;
      if (first !== undefined)
        announce(more.length === 0 ? inWords(first) : counted(ended.length, "request"));
      ended = [];
    };
    const showSoon = (): void => void (timer ??= setTimeout(show, gatherMs));
    const watcher = {
      replaced: (entries: readonly JournalEntry[]) => {
        known.clear();
        for (const entry of entries.toSorted(byArrival)) keepEntry(known, entry);
        show();
      },
      older: (entries: readonly JournalEntry[]) => {
        const later = known;
        known = new Map();
        for (const entry of [...entries.toSorted(byArrival), ...later.values()]) {
          keepEntry(known, entry);
        }
        showSoon();
        return known.size < keptEntries;
      },
      added: (entry: JournalEntry) => {
        keepEntry(known, entry);
        if (entry.ended !== "pending" && !isOwn(entry)) ended.push(entry);
        showSoon();
      },
      changed: (now: WatchState) => {
        state = now;
        showSoon();
      },
    };
    void watchRequests(client, watcher, { ofAll, signal: ending.signal });
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [client, announce, ofAll]);
  return useMemo(() => ({ ...watched, watchAll }), [watched]);
}

function byArrival(one: JournalEntry, other: JournalEntry): number {
  return one.at < other.at ? -1 : Number(one.at > other.at);
}

function inWords(entry: JournalEntry): string {
  return `${entry.method} ${requestTarget(entry)}: ${entry.status || "no answer"}`;
}
