import { useEffect, useMemo, useState } from "preact/hooks";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { Client } from "../api/client.ts";
import { watchRequests, type WatchState } from "../api/watch-requests.ts";
import { isOwn } from "./filter.ts";

/** The known part of the journal, and how it is followed. */
export interface WatchedRequests {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  readonly state: WatchState;
}

/** The most entries that are kept, as in the journal. */
const keptEntries = 1000;

/** Adds an entry. One that is over takes the place of the one that was under way. */
export function withEntry(
  entries: readonly JournalEntry[],
  entry: JournalEntry,
): readonly JournalEntry[] {
  const others = entries.filter(({ id, at }) => id !== entry.id || at !== entry.at);
  return [...others.slice(-keptEntries + 1), entry];
}

/** Follows the journal while the page is shown. */
export function useRequests(client: Client, announce: (text: string) => void): WatchedRequests {
  const [entries, setEntries] = useState<readonly JournalEntry[]>([]);
  const [state, setState] = useState<WatchState>("connecting");
  useEffect(() => {
    const ending = new AbortController();
    const watcher = {
      replaced: setEntries,
      added: (entry: JournalEntry) => {
        setEntries((before) => withEntry(before, entry));
        if (!isOwn(entry) && entry.ended !== "pending")
          announce(`${entry.method} ${entry.path}: ${entry.status || "no answer"}`);
      },
      changed: setState,
    };
    void watchRequests(client, watcher, ending.signal);
    return () => ending.abort();
  }, [client, announce]);
  return useMemo(() => ({ entries, state }), [entries, state]);
}
