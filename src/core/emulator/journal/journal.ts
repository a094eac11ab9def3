import type { Call } from "../../http/call.ts";
import type { Reply } from "../../http/reply.ts";
import type { Timers } from "../../http/scheduler.ts";
import type { Observer } from "../observer.ts";
import type { Route } from "../routes.ts";
import {
  type KnownEnd,
  type JournalEntry,
  type JournalOwner,
  type JournalSummary,
  type RecordedExchange,
} from "./entry.ts";
import { JournalFeed } from "./feed.ts";
import {
  type ExchangeFilter,
  type JournalFilter,
  matchesFilter,
  refuseWrongFilters,
} from "./filter.ts";
import { cutStream, keepReply } from "./kept-reply.ts";

/**
 * A session's requests, listed in the order in which they arrived. Those that ended first are dropped when it is full,
 * or the journals of all sessions together are: `Journals`, below, has what they share.
 */
export class Journal {
  readonly owner: JournalOwner;
  /** Those of all sessions. */
  readonly all: Journals;
  /** How many finished requests it keeps. 0: it is off. */
  readonly #size: number;
  #isRetired = false;
  /** A ring: the oldest is at `#start`. */
  #kept: (RecordedExchange | undefined)[] = [];
  #start = 0;
  /** In no order: each knows its slot. A set takes 0.2 µs for each request. */
  readonly #underWay: RecordedExchange[] = [];
  /** How many have arrived so far. */
  arrived = 0;
  /** How many have ended so far, including those that are gone. */
  count = 0;
  /** The number of the one that ended last. */
  last = 0;
  /** When the journal was last emptied: how many had ended, and which one last. */
  cleared: { readonly count: number; readonly last: number } = { count: 0, last: 0 };

  constructor(owner: JournalOwner, size: number, all: Journals) {
    this.owner = owner;
    this.#size = size;
    this.all = all;
  }

  /** Has a call that arrives. Nobody can read the journal of a session that is gone: undefined. */
  begin(
    { method, path, query, headers }: Call,
    route: Pick<Route, "interface">,
    started: number,
    at: number,
  ): RecordedExchange | undefined {
    if (this.#size === 0 || this.#isRetired) return undefined;
    const exchange: RecordedExchange = {
      number: ++this.arrived,
      slot: this.#underWay.length,
      at,
      started,
      session: this.owner.id,
      interface: route.interface.name,
      method,
      path,
      query,
      headers,
      body: undefined,
      reply: undefined,
      headAt: undefined,
      isCut: false,
      tail: "",
      sent: undefined,
      size: 0,
      ended: "pending",
      problem: undefined,
      queuedMs: undefined,
      durationMs: 0,
      chunksSent: 0,
      bytes: 0,
      aborted: false,
      place: 0,
      order: 0,
    };
    this.#underWay.push(exchange);
    if (this.count === 0) this.all.journals.add(this);
    this.all.feed.note(this, exchange);
    return exchange;
  }

  /** Has the reply of a call, and gives the one to send, which notes what is sent. */
  answer(exchange: RecordedExchange, call: Call, reply: Reply): Reply {
    exchange.body = call.received;
    if (reply.delayMs !== undefined) exchange.headAt = this.all.now() + reply.delayMs;
    exchange.size = keptSize(call);
    const given = keepReply(exchange, reply, this.all.now);
    if (this.#underWay[exchange.slot] === exchange) this.all.count(exchange.size);
    return given;
  }

  /** Has the end of an exchange. It is made readable only when somebody reads it. */
  end(exchange: RecordedExchange, end: Readonly<KnownEnd>): void {
    if (this.#underWay[exchange.slot] !== exchange) return;
    const last = this.#underWay.pop() ?? exchange;
    if (last !== exchange) this.#underWay[exchange.slot] = last;
    last.slot = exchange.slot;
    cutStream(exchange);
    // In the exchange itself: the collector has one object less to move.
    exchange.ended = end.ended;
    exchange.problem = end.problem;
    exchange.queuedMs = end.queuedMs;
    exchange.durationMs = end.durationMs;
    exchange.chunksSent = end.chunksSent;
    exchange.bytes = end.bytes;
    exchange.aborted = end.aborted;
    exchange.place = ++this.count;
    exchange.order = ++this.all.ended;
    this.last = exchange.number;
    this.#kept.push(exchange);
    if (this.#length > this.#size) this.dropOldest();
    this.all.feed.note(this, exchange);
  }

  /** The entries that match a filter, oldest first. Throws `ERR_OPTION_INVALID` for an unknown filter. */
  list(filter: JournalFilter = {}): readonly JournalEntry[] {
    refuseWrongFilters(filter);
    return this.matching(filter).map((exchange) => this.read(exchange));
  }

  /** The raw exchanges that match a filter, in the order in which they arrived. */
  matching({ limit, ...filter }: ExchangeFilter = {}): readonly RecordedExchange[] {
    // The first request has just arrived, and loads it.
    if (this.all.reader === undefined) return [];
    const found = [...this.kept(filter), ...this.underWay(filter)];
    return found.toSorted((one, other) => one.number - other.number).slice(0, limit);
  }

  /** The raw exchanges that are over and match a filter, oldest first. */
  kept(filter: ExchangeFilter = {}): readonly RecordedExchange[] {
    const { limit = Infinity } = filter;
    const now = this.all.now();
    const found: RecordedExchange[] = [];
    for (let at = this.#start; at < this.#kept.length && found.length < limit; at++) {
      const exchange = this.#kept[at];
      if (exchange !== undefined && matchesFilter(exchange, filter, now)) found.push(exchange);
    }
    return found;
  }

  /** Those under way, in the order in which they arrived. */
  underWay(filter: ExchangeFilter = {}): readonly RecordedExchange[] {
    const now = this.all.now();
    const found = this.#underWay.filter((exchange) => matchesFilter(exchange, filter, now));
    return found.toSorted((one, other) => one.number - other.number);
  }

  /** An exchange of this journal in readable form. */
  read(exchange: RecordedExchange): JournalEntry {
    return this.#reader.readEntry(exchange, this.owner, this.all.now());
  }

  /** What is small of it. */
  summarise(exchange: RecordedExchange): JournalSummary {
    return this.#reader.readSummary(exchange, this.owner, this.all.now());
  }

  get #reader(): EntryReader {
    const { reader } = this.all;
    if (reader === undefined) throw new Error("No request has been answered.");
    return reader;
  }

  /** Forgets what is over. */
  clear(): void {
    while (this.#length > 0) this.dropOldest();
    this.cleared = { count: this.count, last: this.last };
    this.all.feed.note(this);
  }

  /** The session has gone. */
  retire(): void {
    while (this.#length > 0) this.dropOldest();
    for (const exchange of this.#underWay) this.all.count(-exchange.size);
    this.#underWay.length = 0;
    this.#isRetired = true;
    this.last = 0;
    this.all.journals.delete(this);
    this.all.feed.note(this);
  }

  dropOldest(): void {
    const oldest = this.#kept[this.#start];
    if (oldest !== undefined) this.all.count(-oldest.size);
    this.#kept[this.#start] = undefined;
    this.#start++;
    // Compacted now and then, so that dropping the oldest costs nothing.
    if (this.#start > 1000 && this.#start > this.#length) {
      this.#kept = this.#kept.slice(this.#start);
      this.#start = 0;
    }
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
function keptSize({ path, query, received, headers }: Call): number {
  let size = entrySize + path.length + query.length + (received?.byteLength ?? 0);
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0) + headerSize;
  return size;
}

/** Bytes that all journals keep together: requests and replies. When there are more, the oldest requests go. */
const mostKept = 64_000_000;
/** So many stay then, so that room is made rarely. */
const stays = 57_000_000;

type Read<Readable> = (exchange: RecordedExchange, owner: JournalOwner, now: number) => Readable;

/** Makes exchanges readable. */
interface EntryReader {
  readonly readEntry: Read<JournalEntry>;
  readonly readSummary: Read<JournalSummary>;
}

/** What journals need to tell those who watch. */
interface JournalsContext {
  readonly timers: Timers;
  readonly observer: Observer;
}

/** What the journals of all sessions share: the room that they have, and who watches them. */
export class Journals {
  readonly #context: JournalsContext;
  /** Those that keep something, or did. */
  readonly journals: Set<Journal> = new Set();
  bytes = 0;
  /** How many exchanges have ended so far. */
  ended = 0;
  /** Reads entries. Undefined until it is loaded. */
  reader: EntryReader | undefined;
  readonly feed: JournalFeed;

  constructor(context: JournalsContext) {
    this.#context = context;
    this.feed = new JournalFeed(context.timers);
  }

  /** Loads what reads entries: most pages never look. */
  async load(): Promise<void> {
    this.reader ??= await import("./read-entry.ts");
  }

  /** By the timers. */
  readonly now = (): number => this.#context.timers.now();

  /** Somebody who watches could not be told. */
  report(error: unknown): void {
    this.#context.observer.failed?.(error);
  }

  /**
   * So many bytes more are taken. What is under way stays whatever its size, and is the newest when it ends: what one
   * looks for.
   */
  count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes <= mostKept || bytes < 0) return;
    const kept = [...this.journals].flatMap((one) =>
      one.kept().map(({ order }) => [order, one] as const),
    );
    const oldest = kept.toSorted((first, second) => first[0] - second[0]);
    for (const [, one] of oldest) if (this.bytes > stays) one.dropOldest();
  }
}
