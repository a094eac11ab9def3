import type { Call } from "../../http/call.ts";
import type { Reply } from "../../http/reply.ts";
import type { Timers } from "../../http/scheduler.ts";
import type { Observer } from "../observer.ts";
import type { Route } from "../routes.ts";
import {
  type KnownEnd,
  type JournalEntry,
  type JournalOwner,
  type JournalReload,
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

/** The most reloads that a journal knows of. */
const mostReloads = 100;

/**
 * A session's requests, in order of arrival. When the journal is full, the requests that ended first are dropped; when
 * the journals of all sessions together are, those of the session whose requests take the most room.
 */
export class Journal {
  owner: JournalOwner;
  /** What the journals of all sessions share. */
  readonly all: Journals;
  /** The most finished requests that the journal keeps. 0: it keeps no requests at all. */
  #size: number;
  #isRetired = false;
  /** The finished requests. The oldest is at `#start`; the places before it are empty. */
  #kept: (RecordedExchange | undefined)[] = [];
  #start = 0;
  /** The requests under way, in no order: each knows its index here. A Set would take 0.2 µs per request. */
  readonly #underWay: RecordedExchange[] = [];
  /** The number of requests that have arrived so far. */
  arrived = 0;
  /** The number of requests that have ended so far, dropped ones included. */
  count = 0;
  /** The number of the request that ended last. */
  last = 0;
  /** The approximate memory of the finished requests. */
  bytes = 0;
  /** `count` and `last` at the time when the journal was last emptied. */
  cleared: { readonly count: number; readonly last: number } = { count: 0, last: 0 };

  constructor(owner: JournalOwner, size: number, all: Journals) {
    this.owner = owner;
    this.#size = size;
    this.all = all;
  }

  /** Adds a call that has just arrived. Returns undefined if the journal is off or its session is gone. */
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

  /** Adds the reply to an exchange. Returns the reply to send, which records what is sent of it. */
  answer(exchange: RecordedExchange, call: Call, reply: Reply): Reply {
    exchange.body = call.received;
    exchange.size = keptSize(call) + sizeOfAnswerer(reply.answeredBy);
    return keepReply(exchange, reply, this.all.now);
  }

  /** Adds how an exchange ended. */
  end(exchange: RecordedExchange, end: Readonly<KnownEnd>): void {
    if (this.#underWay[exchange.slot] !== exchange) return;
    const last = this.#underWay.pop() ?? exchange;
    if (last !== exchange) this.#underWay[exchange.slot] = last;
    last.slot = exchange.slot;
    cutStream(exchange);
    // Copied one by one into the exchange, which saves the garbage collector an object.
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
    this.#count(exchange.size);
    if (this.length > this.#size) this.dropOldest();
    this.all.makeRoom(this);
    this.all.feed.note(this, exchange);
  }

  /** The entries that match a filter, oldest first. Throws `ERR_OPTION_INVALID` for an unknown filter. */
  list(filter: JournalFilter = {}): readonly JournalEntry[] {
    refuseWrongFilters(filter);
    return this.matching(filter).map((exchange) => this.read(exchange));
  }

  /** The raw exchanges that match a filter, in the order in which they arrived. */
  matching({ limit, ...filter }: ExchangeFilter = {}): readonly RecordedExchange[] {
    // The reader is loaded with the first request, so there is nothing to read yet.
    if (this.all.reader === undefined) return [];
    const found = [...this.kept(filter), ...this.underWay(filter)];
    return found.toSorted((one, other) => one.number - other.number).slice(0, limit);
  }

  /** The raw exchanges that have ended and match a filter, in the order in which they ended. */
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

  /** The raw exchanges that are under way and match a filter, in order of arrival. */
  underWay(filter: ExchangeFilter = {}): readonly RecordedExchange[] {
    const now = this.all.now();
    const found = this.#underWay.filter((exchange) => matchesFilter(exchange, filter, now));
    return found.toSorted((one, other) => one.number - other.number);
  }

  /** An exchange of this journal in readable form. */
  read(exchange: RecordedExchange): JournalEntry {
    return this.#reader.readEntry(exchange, this.owner, this.all.now());
  }

  /** The summary of an exchange of this journal. */
  summarise(exchange: RecordedExchange): JournalSummary {
    return this.#reader.readSummary(exchange, this.owner, this.all.now());
  }

  get #reader(): EntryReader {
    const { reader } = this.all;
    if (reader === undefined) throw new Error("No request has been answered.");
    return reader;
  }

  /** When fixtures were loaded again, oldest first. */
  reloads: readonly JournalReload[] = [];

  /** Continues in another session, which a reload of the fixtures has begun. */
  passTo(owner: JournalOwner, size: number): void {
    this.owner = owner;
    this.#size = size;
    while (this.length > size) this.dropOldest();
  }

  /** Notes a reload of the fixtures, at a Unix time in milliseconds. */
  noteReload(at: number): void {
    const reload = { at, after: this.arrived };
    this.reloads = [...this.reloads, reload].slice(-mostReloads);
    this.all.feed.noteReload(this, reload);
  }

  /** Drops all requests that have ended. */
  clear(): void {
    this.reloads = [];
    while (this.length > 0) this.dropOldest();
    this.cleared = { count: this.count, last: this.last };
    this.all.feed.note(this);
  }

  /** Drops all requests for good, since the session is gone. */
  retire(): void {
    while (this.length > 0) this.dropOldest();
    this.#underWay.length = 0;
    this.#isRetired = true;
    this.last = 0;
    this.all.journals.delete(this);
    this.all.feed.note(this);
  }

  dropOldest(): void {
    const oldest = this.#kept[this.#start];
    if (oldest !== undefined) this.#count(-oldest.size);
    this.#kept[this.#start] = undefined;
    this.#start++;
    // The empty places are removed only now and then, so that dropping the oldest costs nothing.
    if (this.#start > 1000 && this.#start > this.length) {
      this.#kept = this.#kept.slice(this.#start);
      this.#start = 0;
    }
  }

  #count(bytes: number): void {
    this.bytes += bytes;
    this.all.count(bytes);
  }

  /** How many finished requests the journal keeps. */
  get length(): number {
    return this.#kept.length - this.#start;
  }
}

/**
 * The approximate memory of an exchange in bytes, without texts and bodies. It assumes that the reply's headers are
 * short or shared.
 */
const entrySize = 1300;
/** The memory of a header besides its name and value. */
const headerSize = 50;

function sizeOfAnswerer(answeredBy: Reply["answeredBy"]): number {
  return typeof answeredBy === "object" ? (answeredBy.takeSize?.() ?? 0) : 0;
}

/** The approximate cost of keeping a call's exchange, in bytes. */
function keptSize({ path, query, received, headers }: Call): number {
  let size = entrySize + path.length + query.length + (received?.byteLength ?? 0);
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0) + headerSize;
  return size;
}

/**
 * The most memory that all journals may take for finished requests and their replies, in bytes. Beyond it, the
 * greatest journals drop requests. Requests under way are in memory anyway.
 */
const mostKept = 64_000_000;
/** The memory that is left after dropping: less than the limit, so that dropping is rare. */
const keptAfterDropping = 57_000_000;

type Read<Readable> = (exchange: RecordedExchange, owner: JournalOwner, now: number) => Readable;

/** Makes exchanges readable. */
interface EntryReader {
  readonly readEntry: Read<JournalEntry>;
  readonly readSummary: Read<JournalSummary>;
}

/** What journals need to report events. */
interface JournalsContext {
  readonly timers: Timers;
  readonly observer: Observer;
}

/** What the journals of all sessions share: their limit of memory, and the listeners. */
export class Journals {
  readonly #context: JournalsContext;
  /** The journals that keep requests, or once did. */
  readonly journals: Set<Journal> = new Set();
  bytes = 0;
  /** The number of exchanges that have ended so far. */
  ended = 0;
  /** Reads entries. Undefined until it is loaded. */
  reader: EntryReader | undefined;
  readonly feed: JournalFeed;

  constructor(context: JournalsContext) {
    this.#context = context;
    this.feed = new JournalFeed(context.timers);
  }

  /** Loads the reader of entries on demand, since most pages never look at the journal. */
  async load(): Promise<void> {
    this.reader ??= await import("./read-entry.ts");
  }

  /** The time on the timers' clock. */
  readonly now = (): number => this.#context.timers.now();

  /** Reports the failure of a listener. */
  report(error: unknown): void {
    this.#context.observer.failed?.(error);
  }

  /** Counts memory of finished requests that was taken, or freed if negative. */
  count(bytes: number): void {
    this.bytes += bytes;
  }

  /**
   * Drops the oldest requests of the greatest journals beyond the limit, so that no session takes the room of others.
   * The request that has just ended, in the journal `of`, stays.
   */
  makeRoom(of: Journal): void {
    if (this.bytes <= mostKept) return;
    while (this.bytes > keptAfterDropping) {
      const greatest = [...this.journals].reduce((one, other) =>
        other.bytes > one.bytes ? other : one,
      );
      const least = greatest === of ? 1 : 0;
      if (greatest.length === least) return;
      // A part at a time, since looking for the greatest takes longer than dropping.
      const enough = greatest.bytes * 0.99;
      while (greatest.length > least && greatest.bytes > enough) greatest.dropOldest();
    }
  }
}
