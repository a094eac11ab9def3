import type { Timers } from "../../http/scheduler.ts";
import type { RecordedExchange } from "./entry.ts";
import type { Journal } from "./journal.ts";

/** Bytes that all journals keep together: paths, queries, headers and bodies. When there are more, the oldest requests go. */
const mostKept = 64_000_000;
/** So many stay then, so that room is made rarely. */
const stays = 0.9 * mostKept;

/** How many may watch. */
export const mostWatchers = 256;
/** Bytes of requests that a watcher may be behind. One that is further behind is dropped. */
const mostBehind = 64_000_000;
/** What it takes to note that a journal was emptied. */
const emptiedSize = 1000;
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

/**
 * What the journals of all sessions share: the room that they have, and who watches them. A request only leaves a note
 * for watchers. What they are sent is made later, when the answer is out, so that none of them can delay or break one.
 */
export class Journals {
  readonly #timers: Timers;
  readonly #report: (error: unknown) => void;
  /** Those that keep something. */
  readonly #filled: Set<Journal> = new Set();
  #bytes = 0;
  #count = 0;
  readonly watchers: Set<JournalWatcher> = new Set();
  #end: FeedPlace = { before: 0 };
  #isDue = false;

  /** `report` is told of failures that are bugs of the emulator. */
  constructor(timers: Timers, report: (error: unknown) => void) {
    this.#timers = timers;
    this.#report = report;
  }

  /** How many exchanges were recorded so far. */
  get count(): number {
    return this.#count;
  }

  /** A journal keeps one exchange more. The newest stays whatever its size: it is what one looks for. */
  keep(journal: Journal, { size }: RecordedExchange): void {
    this.#count++;
    this.#bytes += size;
    this.#filled.add(journal);
    if (this.#bytes <= mostKept) return;
    const kept = [...this.#filled].flatMap((filled) => filled.orders());
    kept.sort((one, other) => one.order - other.order).pop();
    for (const oldest of kept) if (this.#bytes > stays) oldest.journal.dropOldest();
  }

  /** A journal keeps so many bytes less. */
  free(journal: Journal, bytes: number): void {
    this.#bytes -= bytes;
    if (journal.isEmpty) this.#filled.delete(journal);
  }

  /** What the next event is told at. */
  get end(): FeedPlace {
    return this.#end;
  }

  /** Adds a watcher, which is asked to send soon. */
  watch(watcher: JournalWatcher): void {
    this.watchers.add(watcher);
    this.wake();
  }

  /** Notes for the watchers that a request is over, or that its journal was emptied. */
  // oxlint-disable-next-line max-params
  tell(journal: Journal, exchange: RecordedExchange | undefined, number: number): void {
    if (this.watchers.size === 0) return;
    const next = { before: this.#end.before + (exchange?.size ?? emptiedSize) };
    this.#end.event = { journal, exchange, number, next };
    this.#end = next;
    for (const watcher of this.watchers) {
      if (next.before - watcher.place.before > mostBehind) watcher.drop();
    }
    this.wake();
  }

  /** Has the watchers send soon. */
  wake(): void {
    if (!this.#isDue) this.#timers.set(() => this.#sendAll(), restMs);
    this.#isDue = true;
  }

  /** Each sends one event in turn. Who did goes to the end, where the loop finds it again. */
  #sendAll(): void {
    this.#isDue = false;
    const until = this.#timers.now() + turnMs;
    for (const watcher of this.watchers) {
      if (this.#timers.now() >= until) return this.wake();
      try {
        if (!watcher.sendNext()) continue;
        this.watchers.delete(watcher);
        this.watchers.add(watcher);
      } catch (error) {
        this.#report(error);
        watcher.drop();
      }
    }
  }
}
