import type { RecordedExchange } from "../emulator/journal/entry.ts";
import { type ExchangeFilter, matchesFilter } from "../emulator/journal/filter.ts";
import type { FeedPlace, Journal, JournalWatcher } from "../emulator/journal/journal.ts";
import type { Playback, Sink, Timers } from "../http/scheduler.ts";

/** Milliseconds between signs of life: less than the minute after which proxies close a silent connection. */
const heartbeatMs = 15_000;

/** Bytes that go out at once: with hundreds of watchers more of them would hold up everybody else. */
const partLength = 2 ** 18;

/** What a client of live requests gets. */
export interface LiveOptions {
  readonly journal: Journal;
  readonly timers: Timers;
  readonly filter: ExchangeFilter;
  /** How many had ended of those that are not asked for; undefined: only new requests. */
  readonly after: number | undefined;
  /** Whether the client has everything before that, since it was connected until then. */
  readonly resumes: boolean;
}

/**
 * Requests as server-sent events: first what is asked for of the journal, then what happens. A client that reads slowly
 * stays behind, and loses its connection when it is too far behind.
 */
export class LiveRequests implements Playback, JournalWatcher {
  readonly #sink: Sink;
  readonly #options: LiveOptions;
  #state: "flows" | "full" | "over" = "flows";
  /** What comes next of what all watchers are told. */
  place: FeedPlace;
  /** The place of the request that was looked at last, of those that were over before it began. */
  #at: number;
  /** The place of the last of those. */
  readonly #lastPlace: number;
  /** Those that were under way then, if the earlier ones are asked for. */
  readonly #underWay: RecordedExchange[];
  /** What is left of an event that goes out in parts. */
  #rest: Uint8Array = new Uint8Array();
  #sent = 0;
  #heartbeat: unknown;

  /** Starts sending. */
  constructor(sink: Sink, options: LiveOptions) {
    const { journal, after = journal.count, resumes } = options;
    const { count, cleared, all } = journal;
    this.#sink = sink;
    this.#options = options;
    this.place = all.end;
    // None of this session, which has begun anew since.
    this.#at = after > count ? 0 : after;
    this.#lastPlace = count;
    this.#underWay = options.after === undefined ? [] : [...journal.underWay()];
    this.#write("retry: 1000\n\n");
    if (after > count) this.#tellEmptied(0);
    // Perhaps the client knows; to be told twice does no harm.
    else if (resumes && cleared.count > 0 && cleared.count >= after) {
      this.#skipTo(cleared.count + 1);
      this.#tellEmptied(cleared.last);
    }
    all.watchers.add(this);
    all.wake();
    this.#setHeartbeat();
  }

  readonly framesSent = (): number => this.#sent;

  readonly resume = (): void => {
    if (this.#state !== "full") return;
    this.#state = "flows";
    this.#options.journal.all.wake();
    this.#setHeartbeat();
  };

  readonly stop = (): void => {
    this.#state = "over";
    this.#options.timers.clear(this.#heartbeat);
    this.#options.journal.all.watchers.delete(this);
  };

  readonly drop = (): void => {
    this.stop();
    this.#sink.finish("drop");
  };

  readonly sendNext = (): boolean => {
    if (this.#state !== "flows") return false;
    const { event } = this.place;
    const [waiting] = this.#underWay;
    if (this.#rest.length > 0) this.#sendPart(this.#rest);
    else if (this.#at < this.#lastPlace) this.#sendKept(this.#options.journal);
    else if (waiting !== undefined) {
      this.#underWay.shift();
      this.#offer(waiting, this.#options.journal, false);
    } else if (event === undefined) return false;
    else {
      const { journal, exchange, isOver, number, next } = event;
      this.place = next;
      const { journal: own, filter } = this.#options;
      const isOther = journal.owner.id !== own.owner.id;
      // A client that watches all sessions keeps what it knows of those that are gone, as after a test.
      if (isOther && (filter.sessions !== "all" || exchange === undefined)) return true;
      if (exchange === undefined) this.#tellEmptied(number);
      else this.#offer(exchange, journal, isOver);
    }
    return true;
  };

  /** Sends the next request of those that the journal has. */
  #sendKept(journal: Journal): void {
    const [exchange] = journal.kept({ after: this.#at, limit: 1 });
    const isOld = exchange !== undefined && exchange.place <= this.#lastPlace;
    this.#skipTo(isOld ? exchange.place : this.#lastPlace + 1);
    if (!isOld) return;
    this.#at = exchange.place;
    this.#offer(exchange, journal, true);
  }

  /** Sends a request that matches the filter, as it arrived or as it is over. */
  // oxlint-disable-next-line max-params
  #offer(exchange: RecordedExchange, journal: Journal, isOver: boolean): void {
    const seen = isOver ? exchange : asArrived(exchange);
    if (!matchesFilter(seen, this.#options.filter, journal.all.now())) return;
    const made = (isOver ? ends : arrivals).get(exchange)?.deref();
    const bytes = made ?? eventOf(seen, journal);
    if (made === undefined) (isOver ? ends : arrivals).set(exchange, new WeakRef(bytes));
    this.#sendPart(bytes);
  }

  #sendPart(bytes: Uint8Array): void {
    this.#rest = bytes.subarray(partLength);
    this.#write(bytes.subarray(0, partLength));
  }

  /** Reports the lost requests before a place. */
  #skipTo(place: number): void {
    const count = place - this.#at - 1;
    if (count > 0) this.#write(eventText("dropped", undefined, { count }));
    this.#at += count;
  }

  #tellEmptied(number: number): void {
    this.#write(eventText("cleared", String(number), {}));
  }

  #write(data: string | Uint8Array): void {
    this.#sent++;
    const goesOn = this.#sink.write(data);
    if (!goesOn && this.#state === "flows") this.#state = "full";
  }

  /** A client that has not read earlier messages needs no sign of life. */
  #setHeartbeat(): void {
    const { timers } = this.#options;
    timers.clear(this.#heartbeat);
    if (this.#state !== "flows") return;
    this.#heartbeat = timers.set(() => {
      if (this.#state === "flows" && this.#rest.length === 0) this.#write(": still here\n\n");
      this.#setHeartbeat();
    }, heartbeatMs);
  }
}

function eventText(name: string, id: string | undefined, data: object): string {
  const lines = id === undefined ? "" : `id: ${id}\n`;
  return `event: ${name}\n${lines}data: ${JSON.stringify(data)}\n\n`;
}

const encoder = new TextEncoder();

/** Events are made once for all who watch, and kept as long as one of them has not read them. */
const arrivals: WeakMap<RecordedExchange, WeakRef<Uint8Array>> = new WeakMap();
const ends: WeakMap<RecordedExchange, WeakRef<Uint8Array>> = new WeakMap();

/** An exchange as it is while it is under way, or as it was when it arrived if it is over. */
function asArrived(exchange: RecordedExchange): RecordedExchange {
  if (exchange.ended === "pending") return exchange;
  const gone = { body: undefined, reply: undefined, sent: undefined, problem: undefined };
  return { ...exchange, ...gone, ended: "pending", bytes: 0, chunksSent: 0, aborted: false };
}

/** The event of a request. A client that connects anew continues after one that is over. */
function eventOf(exchange: RecordedExchange, journal: Journal): Uint8Array {
  const id = exchange.ended === "pending" ? undefined : String(exchange.number);
  return encoder.encode(eventText("request", id, journal.read(exchange)));
}
