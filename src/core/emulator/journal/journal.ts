import type { Call } from "../../http/call.ts";
import { type JournalEntry, type JournalOwner, readEntry, type RecordedExchange } from "./entry.ts";
import {
  type ExchangeFilter,
  type JournalFilter,
  matchesFilter,
  refuseWrongFilters,
} from "./filter.ts";

/** How much a journal keeps. */
export interface JournalLimits {
  /** Entries. */
  readonly entries: number;
  /** Bytes of all that they keep: paths, queries, headers and the requests' bodies. */
  readonly bytes: number;
}

/** What was asked and answered, in the order in which it ended, oldest first. When there is more than fits, the oldest goes. */
export class Journal {
  readonly owner: JournalOwner;
  readonly #limits: JournalLimits;
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
    this.owner = owner;
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

  /** Adds what is over. It is made readable only when somebody reads it. */
  record(exchange: RecordedExchange): void {
    this.#count++;
    this.#bytes += exchange.size;
    this.#kept.push(exchange);
    while (this.#length > this.#limits.entries || this.#isTooLarge()) this.#dropOldest();
    // Moved together now and then, so that dropping the oldest costs nothing.
    if (this.#start > 1000 && this.#start > this.#length) {
      this.#kept = this.#kept.slice(this.#start);
      this.#start = 0;
    }
    if (!this.#isRetired) this.#watchers?.recorded(this, exchange);
  }

  /** The entries that a filter lets through, oldest first. Throws `ERR_OPTION_INVALID` for an unknown filter. */
  list(filter: JournalFilter = {}): readonly JournalEntry[] {
    refuseWrongFilters(filter);
    return this.kept(filter).map((exchange) => this.read(exchange));
  }

  /** What is kept and a filter lets through, oldest first, to be read where it is wanted. */
  kept(filter: ExchangeFilter = {}): readonly RecordedExchange[] {
    const { limit = Infinity } = filter;
    const found: RecordedExchange[] = [];
    for (let at = this.#start; at < this.#kept.length && found.length < limit; at++) {
      const exchange = this.#kept[at];
      if (exchange !== undefined && matchesFilter(exchange, filter)) found.push(exchange);
    }
    return found;
  }

  /** An exchange of this journal as it is shown. */
  read(exchange: RecordedExchange): JournalEntry {
    return readEntry(exchange, this.owner);
  }

  clear(): void {
    this.#empty();
    this.#clearedAt = this.#count;
    this.#watchers?.cleared(this, { anew: false });
  }

  /** Tells whoever watches what is recorded from now on, also in a session that comes in place of this one. */
  watch(watcher: JournalWatcher): () => void {
    return this.#watchers?.add(this.owner.id, watcher) ?? (() => undefined);
  }

  /** The session has gone: nobody is told of what may still end in it. */
  retire(): void {
    this.#empty();
    this.#watchers?.cleared(this, { anew: true });
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
    if (oldest !== undefined) this.#bytes -= oldest.size;
    // Nothing may keep it.
    this.#kept[this.#start] = undefined;
    this.#start++;
  }
}

/** What the fields of an exchange take besides texts and bytes. The reply's headers are short, or a script's own. */
const entrySize = 1300;
/** What a header takes besides its name and value. */
const headerSize = 50;

/** What keeping the exchange of a call costs, about, in bytes. */
export function keptSize({ path, query, received, headers }: Call): number {
  let size = entrySize + path.length + query.length + (received?.byteLength ?? 0);
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0) + headerSize;
  return size;
}

/** Told of what becomes of the journal of a session, whichever session has the id by now. */
export interface JournalWatcher {
  /** A request is over. */
  readonly recorded: (exchange: RecordedExchange, journal: Journal) => void;
  /** The journal is empty now. With `anew` another one comes in its place, since the session begins anew. */
  readonly cleared: (journal: Journal, how: { readonly anew: boolean }) => void;
}

/** Those who watch journals of an emulator, by session id: they stay when a session goes and another one gets its id. */
export class JournalWatchers {
  readonly #byId: Map<string | undefined, Set<JournalWatcher>> = new Map();

  /** Adds a watcher; the result takes it out. */
  add(id: string | undefined, watcher: JournalWatcher): () => void {
    const all = this.#byId.get(id) ?? new Set();
    this.#byId.set(id, all.add(watcher));
    return () => {
      all.delete(watcher);
      if (all.size === 0 && this.#byId.get(id) === all) this.#byId.delete(id);
    };
  }

  recorded(journal: Journal, exchange: RecordedExchange): void {
    for (const watcher of this.#of(journal)) watcher.recorded(exchange, journal);
  }

  cleared(journal: Journal, how: { readonly anew: boolean }): void {
    for (const watcher of this.#of(journal)) watcher.cleared(journal, how);
  }

  /** A list of its own: who is told may stop to watch. */
  #of({ owner: { id } }: Journal): readonly JournalWatcher[] {
    const all = this.#byId.get(id);
    return all === undefined ? [] : [...all];
  }
}
