import type { ControlledJournal } from "../../../src/core/control/context.ts";
import type {
  JournalEntry,
  JournalWatcher,
  KeptRequest,
} from "../../../src/core/control/journal-entry.ts";

/** A journal whose requests end when a test says so. */
export interface HandJournal extends ControlledJournal {
  readonly record: (entry: JournalEntry) => void;
  /** Has the session begin anew. */
  readonly renew: () => void;
  /** How many watch it. */
  readonly watchers: () => number;
}

function keptRequest(entry: JournalEntry, number: number): KeptRequest {
  const { id, at, method, path, status, body, headers } = entry;
  return {
    id,
    number,
    at: Date.parse(at),
    interface: entry.interface,
    method,
    path,
    status,
    read: () => entry,
    wire: () => ({
      body: body === null ? undefined : JSON.stringify(body),
      bodyBytes: body === null ? 0 : new TextEncoder().encode(JSON.stringify(body)).byteLength,
      replyHeaders: { "content-type": "application/json", "x-echo": headers["x-echo"] ?? "" },
    }),
  };
}

/** A journal that begins with some entries, and keeps a number of them. */
export function handJournal(
  entries: readonly JournalEntry[] = [],
  { most = Infinity, done = [] }: { readonly most?: number; readonly done?: string[] } = {},
): HandJournal {
  const watchers = new Set<JournalWatcher>();
  let kept: KeptRequest[] = entries.map((entry, place) => keptRequest(entry, place + 1));
  let count = kept.length;
  let clearedAt = 0;
  function empty(anew: boolean): void {
    kept = [];
    const before = count;
    if (anew) count = 0;
    clearedAt = count;
    for (const watcher of watchers) watcher.cleared({ count: before, anew });
  }
  return {
    beganAt: () => "2024-01-01T00:00:00.000Z",
    kept: () => kept,
    clear: () => {
      done.push("clear");
      empty(false);
    },
    renew: () => empty(true),
    record: (entry) => {
      count++;
      const request = keptRequest({ ...entry, id: String(count) }, count);
      kept = [...kept, request].slice(-most);
      for (const watcher of watchers) watcher.recorded(request);
    },
    watch: (watcher) => {
      watchers.add(watcher);
      return {
        kept: () => kept,
        count: () => count,
        clearedAt: () => clearedAt,
        stop: () => void watchers.delete(watcher),
      };
    },
    watchers: () => watchers.size,
  };
}
