import type {
  JournalEntry,
  JournalWatch,
  JournalWatcher,
  KeptRequest,
} from "../../control/journal-entry.ts";
import { readableEntry, type RecordedExchange } from "./entry.ts";
import { type JournalFilter, matchesFilter, refuseUnknownFilters } from "./filter.ts";
import { KeptExchange } from "./kept-exchange.ts";
import type { JournalWatchers } from "./watchers.ts";

/** How much a journal keeps. */
export interface JournalLimits {
  /** Entries. */
  readonly entries: number;
  /** Bytes of their bodies, requests' and replies' together. */
  readonly bytes: number;
}

/** Whose journal it is. */
export interface JournalOwner {
  /** Undefined for the base session. */
  readonly id: string | undefined;
  /** Its tables as they are now. */
  readonly tables: unknown;
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

  constructor(limits: JournalLimits, owner: JournalOwner, watchers?: JournalWatchers) {
    this.#limits = limits;
    this.#owner = owner;
    this.#watchers = watchers;
  }

  /** How many exchanges were recorded so far, those that are gone included. */
  get count(): number {
    return this.#count;
  }

  /** Adds what is over. It is made readable only when somebody reads it. */
  record(exchange: RecordedExchange): void {
    this.#count++;
    this.#kept.push(exchange);
    this.#bytes += exchange.size;
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
    refuseUnknownFilters(filter);
    const { limit = Infinity } = filter;
    const found: JournalEntry[] = [];
    for (let at = this.#start; at < this.#kept.length && found.length < limit; at++) {
      const exchange = this.#kept[at];
      if (exchange !== undefined && matchesFilter(exchange, filter)) {
        found.push(readableEntry(exchange, this.#owner.tables));
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
    return new KeptExchange(exchange, this.#owner.tables);
  }

  clear(): void {
    this.#empty();
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
    this.#bytes -= this.#kept[this.#start]?.size ?? 0;
    // Nothing may keep it.
    this.#kept[this.#start] = undefined;
    this.#start++;
  }
}

const noWatch: JournalWatch = { kept: () => [], count: () => 0, stop: () => undefined };
