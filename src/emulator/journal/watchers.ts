import type { JournalWatch, JournalWatcher } from "../../control/journal-entry.ts";
import type { RecordedExchange } from "./entry.ts";
import type { Journal } from "./journal.ts";

interface Watching {
  readonly watcher: JournalWatcher;
  /** That of the session which has the id; undefined: it is gone. */
  journal: Journal | undefined;
}

/** Those who watch journals of an emulator, by session id: they stay when a session goes and another one gets its id. */
export class JournalWatchers {
  readonly #byId: Map<string | undefined, Set<Watching>> = new Map();

  /** Looked at for each request. */
  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  watch(id: string | undefined, journal: Journal, watcher: JournalWatcher): JournalWatch {
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

  recorded(journal: Journal, exchange: RecordedExchange): void {
    for (const watching of this.#of(exchange.session)) {
      watching.journal = journal;
      watching.watcher.recorded(journal.keptOf(exchange));
    }
  }

  /** Tells that a journal was emptied; or that it is no longer its session's, which begins anew. */
  cleared(id: string | undefined, { count }: Journal, anew: boolean): void {
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
