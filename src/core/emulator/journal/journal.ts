import {
  type JournalEntry,
  type JournalWatch,
  type JournalWatcher,
  KeptRequest,
  readableEntry,
  type RecordedExchange,
} from "./entry.ts";
import { type JournalFilter, matchesFilter, refuseWrongFilters } from "./filter.ts";

/** How much a journal keeps. */
export interface JournalLimits {
  /** Entries. */
  readonly entries: number;
  /** Bytes of all that they keep: paths, queries, headers and the requests' bodies. */
  readonly bytes: number;
}

/** Whose journal it is. */
export interface JournalOwner {
  /** Undefined for the base session. */
  readonly id: string | undefined;
  /** Its tables as they are now. */
  readonly tables: unknown;
  /** The emulator's own keys, which no journal shows. */
  readonly ownKeys: readonly string[];
}

/** What was asked and answered, in the order in which it ended, oldest first. When there is more than fits, the oldest goes. */
export class Journal {
  readonly #limits: JournalLimits;
  readonly #owner: JournalOwner;
  readonly #watchers: JournalWatchers | undefined;
  #isRetired = false;
  /** A ring: the oldest is at `#start`. */
  #kept: (RecordedExchange | undefined)[] = [];
  #start = 0;
  #bytes = 0;
  #count = 0;
  #clearedAt = 0;

  constructor(limits: JournalLimits, owner: JournalOwner, watchers?: JournalWatchers) {
    this.#limits = limits;
    this.#owner = owner;
    this.#watchers = watchers;
  }

  /** How many exchanges were recorded so far, those that are gone included. */
  get count(): number {
    return this.#count;
  }

  /** What the count was when it was last emptied. */
  get clearedAt(): number {
    return this.#clearedAt;
  }

  get ownKeys(): readonly string[] {
    return this.#owner.ownKeys;
  }

  /** Adds what is over. It is made readable only when somebody reads it. */
  record(exchange: RecordedExchange): void {
    this.#count++;
    this.#bytes += exchange.size + sizeApart(exchange, this.#kept[this.#kept.length - 1]);
    this.#kept.push(exchange);
    while (this.#length > this.#limits.entries || this.#isTooLarge()) this.#dropOldest();
    // Moved together now and then, so that dropping the oldest costs nothing.
    if (this.#start > 1000 && this.#start > this.#length) {
      this.#kept = this.#kept.slice(this.#start);
      this.#start = 0;
    }
    if (this.#watchers?.isEmpty === false && !this.#isRetired) {
      this.#watchers.recorded(this, exchange);
    }
  }

  /** The entries that a filter lets through, oldest first. Throws `ERR_OPTION_INVALID` for an unknown filter. */
  list(filter: JournalFilter = {}): readonly JournalEntry[] {
    refuseWrongFilters(filter);
    const { limit = Infinity } = filter;
    const found: JournalEntry[] = [];
    for (let at = this.#start; at < this.#kept.length && found.length < limit; at++) {
      const exchange = this.#kept[at];
      if (exchange !== undefined && matchesFilter(exchange, filter)) {
        found.push(readableEntry(exchange, this.#owner));
      }
    }
    return found;
  }

  /** What is kept, oldest first, to be read where it is wanted. */
  kept(): readonly KeptRequest[] {
    const kept: KeptRequest[] = [];
    for (let at = this.#start; at < this.#kept.length; at++) {
      const exchange = this.#kept[at];
      if (exchange !== undefined) kept.push(this.keptOf(exchange));
    }
    return kept;
  }

  /** An exchange of this journal, to be read where it is wanted. */
  keptOf(exchange: RecordedExchange): KeptRequest {
    return new KeptRequest(exchange, this.#owner);
  }

  clear(): void {
    this.#empty();
    this.#clearedAt = this.#count;
    this.#watchers?.cleared(this.#owner.id, this, false);
  }

  /** Tells whoever watches what is recorded from now on, also in a session that comes in place of this one. */
  watch(watcher: JournalWatcher): JournalWatch {
    return this.#watchers?.watch(this.#owner.id, this, watcher) ?? noWatch;
  }

  /** The session has gone: nobody is told of what may still end in it. */
  retire(): void {
    this.#empty();
    this.#watchers?.cleared(this.#owner.id, this, true);
    this.#isRetired = true;
  }

  #empty(): void {
    this.#kept = [];
    this.#start = 0;
    this.#bytes = 0;
  }

  get #length(): number {
    return this.#kept.length - this.#start;
  }

  /** The newest is kept whatever its size: it is what one looks for. */
  #isTooLarge(): boolean {
    return this.#bytes > this.#limits.bytes && this.#length > 1;
  }

  #dropOldest(): void {
    const oldest = this.#kept[this.#start];
    const next = this.#kept[this.#start + 1];
    if (oldest !== undefined) this.#bytes -= oldest.size + sizeApart(oldest, next);
    // Nothing may keep it.
    this.#kept[this.#start] = undefined;
    this.#start++;
  }
}

/** What the headers of an entry take that its neighbour does not keep as well. */
function sizeApart(exchange: RecordedExchange, neighbour: RecordedExchange | undefined): number {
  return neighbour?.headers === exchange.headers ? 0 : exchange.headersSize;
}

const noWatch: JournalWatch = {
  kept: () => [],
  count: () => 0,
  clearedAt: () => 0,
  stop: () => undefined,
};

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
