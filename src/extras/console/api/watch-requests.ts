import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { Client } from "./client.ts";
import { EventReader } from "./event-reader.ts";

/** How the list of requests is kept up to date. */
export type WatchState = "connecting" | "live" | "polling" | "lost";

/** Callbacks for the journal's contents. */
export interface RequestWatcher {
  /** The last entries of the journal. They replace what was known. */
  readonly replaced: (entries: readonly JournalEntry[]) => void;
  /** Those before them. False: no more are wanted. */
  readonly older: (entries: readonly JournalEntry[]) => boolean;
  readonly added: (entry: JournalEntry) => void;
  readonly changed: (state: WatchState) => void;
}

/** What is watched, and how long. */
interface WatchOptions {
  /** Whether the requests of all sessions are. */
  readonly ofAll: boolean;
  readonly signal: AbortSignal;
}

/** So few entries are read at first that they show at once; those before them follow in larger parts. */
const firstPart = 200;
const furtherPart = 2000;

const pollMs = 1500;
const retryMs = 2000;

/** Follows the journal until `signal` is aborted: by its stream, or by polling if there is none. */
export async function watchRequests(
  client: Client,
  watcher: RequestWatcher,
  { ofAll, signal }: WatchOptions,
): Promise<void> {
  const asked = ofAll ? "?sessions=all" : "";
  const read = (): Promise<void> => readAll(client, watcher, { ofAll, signal });
  while (!signal.aborted) {
    try {
      const response = await client.openControl(`/requests/live${asked}`, { signal });
      const isThere = response.ok && response.body !== null;
      if (!isThere) await response.body?.cancel();
      // Read after the stream has begun, so that no entry is lost in between.
      await read();
      watcher.changed(isThere ? "live" : "polling");
      for await (const events of isThere ? new EventReader().eventsOf(response) : []) {
        for (const { type, data } of events) {
          // The control API says so.
          if (type === "request") watcher.added(JSON.parse(data) as JournalEntry);
          else if (type !== undefined) await read();
        }
      }
      await pause(pollMs, signal);
    } catch {
      if (signal.aborted) return;
      watcher.changed("lost");
      await pause(retryMs, signal);
    }
  }
}

async function readAll(
  client: Client,
  watcher: RequestWatcher,
  { ofAll, signal }: WatchOptions,
): Promise<void> {
  for (let skip = 0, last = firstPart; ; skip += last, last = furtherPart) {
    const path = `/requests?last=${last}&skip=${skip}${ofAll ? "&sessions=all" : ""}`;
    const answer = await client.control<{ readonly requests: readonly JournalEntry[] }>(path, {
      signal,
    });
    if (!answer.ok) throw new Error(answer.error.message);
    const { requests } = answer.value;
    if (skip === 0) watcher.replaced(requests);
    else if (!watcher.older(requests)) return;
    if (requests.length < last) return;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
