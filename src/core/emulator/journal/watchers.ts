import type { JournalWatch, JournalWatcher, KeptRequest } from "../../control/journal-entry.ts";
import type { RecordedExchange } from "./entry.ts";

/** What watchers are told of a journal. */
interface WatchedJournal {
  readonly count: number;
  readonly clearedAt: number;
  readonly kept: () => readonly KeptRequest[];
  readonly keptOf: (exchange: RecordedExchange) => KeptRequest;
}

interface Watching {
  readonly watcher: JournalWatcher;
  /** That of the session which has the id; undefined: it is gone. */
  journal: WatchedJournal | undefined;
}

/** Those who watch journals of an emulator, by session id: they stay when a session goes and another one gets its id. */
export class JournalWatchers {
  readonly #byId: Map<string | undefined, Set<Watching>> = new Map();

  /** Looked at for each request. */
  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  watch(id: string | undefined, journal: WatchedJournal, watcher: JournalWatcher): JournalWatch {
    const watching: Watching = { watcher, journal };
    const all = this.#byId.get(id) ?? new Set();
    this.#byId.set(id, all.add(watching));
    return {
      kept: () => watching.journal?.kept() ?? [],
      count: () => watching.journal?.count ?? 0,
      clearedAt: () => watching.journal?.clearedAt ?? 0,
      stop: () => {
        all.delete(watching);
        if (all.size === 0 && this.#byId.get(id) === all) this.#byId.delete(id);
      },
    };
  }

  recorded(journal: WatchedJournal, exchange: RecordedExchange): void {
    for (const watching of this.#of(exchange.session)) {
      watching.journal = journal;
      watching.watcher.recorded(journal.keptOf(exchange));
    }
  }

  /** Tells that a journal was emptied; or that it is no longer its session's, which begins anew. */
  cleared(id: string | undefined, { count }: WatchedJournal, anew: boolean): void {
    for (const watching of this.#of(id)) {
      if (anew) watching.journal = undefined;
      watching.watcher.cleared({ count, anew });
    }
  }

  /** A list of its own: who is told may stop to watch. */
  #of(id: string | undefined): readonly Watching[] {
    return [...(this.#byId.get(id) ?? [])];
  }
}
