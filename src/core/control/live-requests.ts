import type { RecordedExchange } from "../emulator/journal/entry.ts";
import { type ExchangeFilter, matchesFilter } from "../emulator/journal/filter.ts";
import type { Journal, JournalWatcher } from "../emulator/journal/journal.ts";
import type { Playback, Sink, Timers } from "../http/scheduler.ts";

/** So long is said nothing at most: less than the minute after which proxies close a silent connection. */
const heartbeatMs = 15_000;

/** What is sent to whom asks for the requests as they end. */
export interface LiveOptions {
  readonly journal: Journal;
  readonly timers: Timers;
  readonly filter: ExchangeFilter;
  /** The number of the request after which it begins; undefined: with those to come. */
  readonly after: number | undefined;
  /** Whether the client has what came before that, since it was there until then. */
  readonly resumes: boolean;
}

/**
 * Requests as server-sent events. Nothing is kept for a client that reads slowly: when it goes on, it gets what the
 * journal still has, and is told how many it has lost.
 */
export class LiveRequests implements Playback, JournalWatcher {
  readonly #sink: Sink;
  readonly #timers: Timers;
  readonly #filter: ExchangeFilter;
  readonly #stopWatching: () => void;
  /** That of the session which has the id; undefined: it is gone. */
  #journal: Journal | undefined;
  #state: "flows" | "full" | "over" = "flows";
  /** The number of the request that was looked at last. */
  #place: number;
  /** Requests that went by while the client did not read. */
  #lost = 0;
  /** The number after which the journal was emptied, while nobody could be told. */
  #clearedAt: number | undefined;
  #sent = 0;
  #heartbeat: unknown;

  /** Begins to send. */
  constructor(
    sink: Sink,
    { journal, timers, filter, after = journal.count, resumes }: LiveOptions,
  ) {
    this.#sink = sink;
    this.#timers = timers;
    this.#filter = filter;
    this.#journal = journal;
    this.#stopWatching = journal.watch(this);
    this.#place = after;
    const { count, clearedAt } = journal;
    // Perhaps it knows; to be told twice does no harm.
    if (resumes && after <= count && clearedAt > 0 && clearedAt >= after) {
      this.#lost = clearedAt - after;
      this.#noteCleared(clearedAt);
    }
    // One that was never given is of a session that has begun anew since.
    if (after > count) this.#noteCleared(0);
    this.#write("retry: 1000\n\n");
    this.#catchUp();
    this.#rest();
  }

  readonly framesSent = (): number => this.#sent;

  readonly resume = (): void => {
    if (this.#state !== "full") return;
    this.#state = "flows";
    this.#catchUp();
    this.#rest();
  };

  readonly stop = (): void => {
    this.#state = "over";
    this.#timers.clear(this.#heartbeat);
    this.#stopWatching();
  };

  readonly recorded = (exchange: RecordedExchange, journal: Journal): void => {
    this.#journal = journal;
    if (this.#state === "flows") this.#offer(exchange, journal);
  };

  readonly cleared: JournalWatcher["cleared"] = ({ count }, { anew }) => {
    if (anew) this.#journal = undefined;
    // What was not sent by now never will be.
    if (this.#state === "full") this.#lost += Math.max(0, count - this.#place);
    this.#noteCleared(anew ? 0 : count);
    if (this.#state === "flows") this.#tellLosses();
  };

  #noteCleared(place: number): void {
    this.#clearedAt = place;
    this.#place = place;
  }

  /** Sends what the journal has that was not looked at. */
  #catchUp(): void {
    this.#tellLosses();
    const journal = this.#journal;
    for (const exchange of journal?.kept() ?? []) {
      if (journal === undefined || this.#state !== "flows") return;
      if (exchange.number > this.#place) this.#offer(exchange, journal);
    }
    if (this.#state === "flows") this.#skipTo((journal?.count ?? 0) + 1);
  }

  /** Sends a request, if it is wanted. */
  #offer(exchange: RecordedExchange, journal: Journal): void {
    const { number } = exchange;
    this.#skipTo(number);
    if (this.#state !== "flows") return;
    this.#place = number;
    if (!matchesFilter(exchange, this.#filter)) return;
    this.#event("request", String(number), journal.read(exchange));
  }

  /** Tells of the requests before a number that are gone. */
  #skipTo(number: number): void {
    const gone = number - this.#place - 1;
    if (gone <= 0) return;
    this.#lost += gone;
    this.#place = number - 1;
    this.#tellLosses();
  }

  #tellLosses(): void {
    if (this.#lost > 0) this.#event("dropped", undefined, { count: this.#lost });
    this.#lost = 0;
    if (this.#clearedAt === undefined || this.#state !== "flows") return;
    this.#event("cleared", String(this.#clearedAt), {});
    this.#clearedAt = undefined;
  }

  #event(name: string, id: string | undefined, data: object): void {
    const lines = id === undefined ? "" : `id: ${id}\n`;
    this.#write(`event: ${name}\n${lines}data: ${JSON.stringify(data)}\n\n`);
  }

  #write(text: string): void {
    if (this.#state === "over") return;
    this.#sent++;
    const goesOn = this.#sink.write(text);
    if (!goesOn && this.#state === "flows") this.#state = "full";
  }

  /** Nothing has to be said to a client that has not read what was said before. */
  #rest(): void {
    const timers = this.#timers;
    timers.clear(this.#heartbeat);
    if (this.#state !== "flows") return;
    this.#heartbeat = timers.set(() => {
      if (this.#state === "flows") this.#write(": still here\n\n");
      this.#rest();
    }, heartbeatMs);
  }
}
