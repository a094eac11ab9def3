import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { Client } from "./client.ts";
import { EventReader } from "./event-reader.ts";

/** How the list of requests is kept up to date. */
export type WatchState = "connecting" | "live" | "polling" | "lost";

/** Callbacks for the journal's contents. */
export interface RequestWatcher {
  /** All entries of the journal. They replace earlier ones. */
  readonly replaced: (entries: readonly JournalEntry[]) => void;
  readonly added: (entry: JournalEntry) => void;
  readonly changed: (state: WatchState) => void;
}

const pollMs = 1500;
const retryMs = 2000;

/** Follows the journal until `signal` is aborted: by its stream, or by polling if there is none. */
export async function watchRequests(
  client: Client,
  watcher: RequestWatcher,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await client.openControl("/requests/live", { signal });
      const isThere = response.ok && response.body !== null;
      if (!isThere) await response.body?.cancel();
      // Read after the stream has begun, so that no entry is lost in between.
      await readAll(client, watcher, signal);
      watcher.changed(isThere ? "live" : "polling");
      for await (const events of isThere ? new EventReader().eventsOf(response) : []) {
        for (const { type, data } of events) {
          // The control API says so.
          if (type === "request") watcher.added(JSON.parse(data) as JournalEntry);
          else if (type !== undefined) await readAll(client, watcher, signal);
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
  signal: AbortSignal,
): Promise<void> {
  const answer = await client.control<{ readonly requests: readonly JournalEntry[] }>("/requests", {
    signal,
  });
  if (!answer.ok) throw new Error(answer.error.message);
  watcher.replaced(answer.value.requests);
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
