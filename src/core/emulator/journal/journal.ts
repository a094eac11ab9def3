import type { Call } from "../../http/call.ts";
import type { Timers } from "../../http/scheduler.ts";
import type { Observer } from "../exchange.ts";
import { type JournalEntry, type JournalOwner, readEntry, type RecordedExchange } from "./entry.ts";
import {
  type ExchangeFilter,
  type JournalFilter,
  matchesFilter,
  refuseWrongFilters,
} from "./filter.ts";

/**
 * A session's finished requests, in the order in which they ended, oldest first. The oldest are dropped when it is full,
 * or the journals of all sessions together are: `Journals`, below, has what they share.
 */
export class Journal {
  readonly owner: JournalOwner;
  /** Those of all sessions. */
  readonly all: Journals;
  /** How many entries it keeps. */
  readonly #size: number;
  #isRetired = false;
  /** A ring: the oldest is at `#start`. */
  #kept: (RecordedExchange | undefined)[] = [];
  #start = 0;
  #bytes = 0;
  /** How many exchanges were recorded so far, including those that are gone. */
  count = 0;
  /** The count when the journal was last emptied. */
  clearedAt = 0;

  // oxlint-disable-next-line max-params
  constructor(owner: JournalOwner, size: number, all: Journals) {
    this.owner = owner;
    this.#size = size;
    this.all = all;
  }

  /** Adds what is over. It is made readable only when somebody reads it. Nobody can read the journal of a session that is gone. */
  record(exchange: RecordedExchange): void {
    if (this.#isRetired) return;
    this.count++;
    this.#kept.push(exchange);
    this.#bytes += exchange.size;
    this.all.keep(this, exchange);
    if (this.#length > this.#size) this.dropOldest();
    this.all.tell(this, exchange, exchange.number);
  }

  /** The entries that match a filter, oldest first. Throws `ERR_OPTION_INVALID` for an unknown filter. */
  list(filter: JournalFilter = {}): readonly JournalEntry[] {
    refuseWrongFilters(filter);
    return this.kept(filter).map((exchange) => this.read(exchange));
  }

  /** The raw exchanges that match a filter, oldest first. */
  kept(filter: ExchangeFilter = {}): readonly RecordedExchange[] {
    const { limit = Infinity } = filter;
    const found: RecordedExchange[] = [];
    for (let at = this.#start; at < this.#kept.length && found.length < limit; at++) {
      const exchange = this.#kept[at];
      if (exchange !== undefined && matchesFilter(exchange, filter)) found.push(exchange);
    }
    return found;
  }

  /** An exchange of this journal in readable form. */
  read(exchange: RecordedExchange): JournalEntry {
    return readEntry(exchange, this.owner);
  }

  clear(): void {
    this.#empty();
    this.clearedAt = this.count;
    this.all.tell(this, undefined, this.count);
  }

  /** The session has gone. */
  retire(): void {
    this.#empty();
    this.#isRetired = true;
    this.all.journals.delete(this);
    this.all.tell(this, undefined, 0);
  }

  dropOldest(): void {
    const size = this.#kept[this.#start]?.size ?? 0;
    // A journal of size 0 keeps nothing.
    this.#kept[this.#start] = undefined;
    this.#start++;
    // Compacted now and then, so that dropping the oldest costs nothing.
    if (this.#start > 1000 && this.#start > this.#length) {
      this.#kept = this.#kept.slice(this.#start);
      this.#start = 0;
    }
    this.#bytes -= size;
    this.all.bytes -= size;
  }

  #empty(): void {
    this.all.bytes -= this.#bytes;
    this.#kept = [];
    this.#start = 0;
    this.#bytes = 0;
  }

  get #length(): number {
    return this.#kept.length - this.#start;
  }
}

/** The approximate cost of an exchange besides texts and bytes. The reply's headers are short, or a script's own. */
const entrySize = 1300;
/** The cost of a header besides its name and value. */
const headerSize = 50;

/** The approximate cost of keeping a call's exchange, in bytes. */
export function keptSize({ path, query, received, headers }: Call): number {
  let size = entrySize + path.length + query.length + (received?.byteLength ?? 0);
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0) + headerSize;
  return size;
}

/** Bytes that all journals keep together: paths, queries, headers and bodies. When there are more, the oldest requests go. */
const mostKept = 64_000_000;
/** So many stay then, so that room is made rarely. */
const stays = 57_000_000;

/** How many may watch. */
export const mostWatchers = 256;
/** Bytes of requests that a watcher may be behind. One that is further behind is dropped. */
const mostBehind = 64_000_000;
/** Telling the watchers takes so long at most, in milliseconds, but for the event that is under way. */
const turnMs = 5;
/** And then rests so long, in which every answer that is ready goes out. */
const restMs = 4;

/** A place in what the watchers are told. Nothing keeps those that all of them have read. */
export interface FeedPlace {
  /** Bytes of what was told before. */
  readonly before: number;
  /** What was told here; undefined: nothing yet. */
  event?: {
    readonly journal: Journal;
    /** Undefined: the journal was emptied. */
    readonly exchange: RecordedExchange | undefined;
    /** The request's; of a journal that was emptied that of its last request, or 0 where another one begins. */
    readonly number: number;
    readonly next: FeedPlace;
  };
}

/** Who watches a journal. */
export interface JournalWatcher {
  /** What it reads next. */
  readonly place: FeedPlace;
  /** Sends what comes next. False: there is nothing, or nobody reads it now. */
  readonly sendNext: () => boolean;
  readonly drop: () => void;
}

/** What journals need to tell those who watch. */
interface JournalsContext {
  readonly timers: Timers;
  readonly observer: Observer;
}

/**
 * What the journals of all sessions share: the room that they have, and who watches them. A request only leaves a note
 * for watchers. What they are sent is made later, when the answer is out, so that none of them can delay or break one.
 */
export class Journals {
  readonly #context: JournalsContext;
  /** Those that keep something, or did. */
  readonly journals: Set<Journal> = new Set();
  bytes = 0;
  /** How many exchanges were recorded so far. */
  count = 0;
  readonly watchers: Set<JournalWatcher> = new Set();
  /** Where the watchers are told what happens next. */
  end: FeedPlace = { before: 0 };
  /** Set while the watchers are about to send. */
  // oxlint-disable-next-line no-unused-private-class-members -- `??=` reads it
  #alarm: unknown;

  constructor(context: JournalsContext) {
    this.#context = context;
  }

  /** A journal keeps one exchange more. The newest stays whatever its size: it is what one looks for. */
  keep(journal: Journal, { size }: RecordedExchange): void {
    this.count++;
    this.bytes += size;
    this.journals.add(journal);
    if (this.bytes <= mostKept) return;
    const kept = [...this.journals].flatMap((one) =>
      one.kept().map(({ order }) => [order, one] as const),
    );
    const oldest = kept.toSorted((first, second) => first[0] - second[0]).slice(0, -1);
    for (const [, one] of oldest) if (this.bytes > stays) one.dropOldest();
  }

  /** Notes for the watchers that a request is over, or that its journal was emptied. */
  // oxlint-disable-next-line max-params
  tell(journal: Journal, exchange: RecordedExchange | undefined, number: number): void {
    if (this.watchers.size === 0) return;
    const next = { before: this.end.before + (exchange?.size ?? entrySize) };
    this.end.event = { journal, exchange, number, next };
    this.end = next;
    for (const watcher of this.watchers) {
      if (next.before - watcher.place.before > mostBehind) watcher.drop();
    }
    this.wake();
  }

  /** Has the watchers send soon. */
  wake(): void {
    this.#alarm ??= this.#context.timers.set(() => this.#sendAll(), restMs);
  }

  /** Each sends one event in turn. Who did goes to the end, where the loop finds it again. */
  #sendAll(): void {
    const { timers, observer } = this.#context;
    this.#alarm = undefined;
    const began = timers.now();
    for (const watcher of this.watchers) {
      if (timers.now() - began >= turnMs) return this.wake();
      try {
        if (!watcher.sendNext()) continue;
        this.watchers.delete(watcher);
        this.watchers.add(watcher);
      } catch (error) {
        observer.failed?.(error);
        watcher.drop();
      }
    }
  }
}
