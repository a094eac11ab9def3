import { clearedText, JournalEvent } from "../emulator/journal/feed.ts";
import { type ExchangeFilter, matchesFilter } from "../emulator/journal/filter.ts";
import { LiveChanges } from "./live-changes.ts";
import { LiveProgress, progressMs } from "./live-progress.ts";
import type { Journal } from "../emulator/journal/journal.ts";
import type { Playback, Sink, Timers } from "../http/scheduler.ts";

/** Milliseconds between heartbeats: less than the minute after which proxies close a silent connection. */
const heartbeatMs = 15_000;

/** The most characters that are queued for a client. A client that reads too slowly misses the events beyond them. */
const mostWaiting = 16_000_000;

/** Small events are joined into writes of up to this many characters. */
const joinedLength = 65_536;

/** The most characters in a write. With hundreds of watchers, larger writes would fill the memory. */
const partLength = 2 ** 18;

/** What a client of live requests asks for. */
export interface LiveOptions {
  readonly journal: Journal;
  readonly timers: Timers;
  readonly filter: ExchangeFilter;
  /** Whether the client gets whole entries, not only summaries. */
  readonly withBodies: boolean;
  /** Only requests that ended later than this many others; undefined for new requests only. */
  readonly after: number | undefined;
  /** Whether the client hears about the progress of requests under way. */
  readonly withProgress: boolean;
  /**
   * Values of which one differs when the set-up may have changed. Undefined: the client does not hear about changes.
   */
  readonly marks: (() => readonly unknown[]) | undefined;
  /** Whether the client reconnects, and so has all earlier requests. */
  readonly resumes: boolean;
}

/**
 * Requests as server-sent events: first those that the journal has, then new ones. Events are queued for a client that
 * reads slowly. If too many are queued, the client is told how many it missed.
 */
export class LiveRequests implements Playback {
  readonly #sink: Sink;
  readonly #options: LiveOptions;
  readonly #stopListening: () => void;
  #state: "flows" | "full" | "over" = "flows";
  /** Requests from before the connection, each read when it is sent. */
  readonly #earlier: Iterator<string>;
  /** The unsent part of the event that is being written. */
  #rest = "";
  /** The events that are queued behind the unsent part. */
  #waiting: string[] = [];
  #waitingLength = 0;
  /** How many events the client misses after the queued ones. */
  #missed = 0;
  /** The event that the journal was emptied, if it is one of the missed events; else empty. */
  #emptied = "";
  #sent = 0;
  #heartbeat: unknown;
  #progress: unknown;

  /** Starts sending. */
  constructor(sink: Sink, options: LiveOptions) {
    const { notices, events } = beginningOf(options);
    this.#sink = sink;
    this.#options = options;
    this.#earlier = this.#textsOf(events);
    this.#stopListening = options.journal.all.feed.listen((batch) => this.#take(batch));
    this.#write(`retry: 1000\n\n${notices}`);
    this.#send();
    this.#setHeartbeat();
    const { withProgress, marks } = options;
    const progress = withProgress ? new LiveProgress(options) : undefined;
    const changes = marks && new LiveChanges(marks);
    const told = [progress, changes].filter((one) => one !== undefined);
    if (told.length > 0) this.#follow(told);
  }

  readonly framesSent = (): number => this.#sent;

  readonly resume = (): void => {
    if (this.#state !== "full") return;
    this.#state = "flows";
    this.#send();
    this.#setHeartbeat();
  };

  readonly stop = (): void => {
    this.#state = "over";
    this.#options.timers.clear(this.#heartbeat);
    this.#options.timers.clear(this.#progress);
    this.#stopListening();
  };

  /** Asks again and again for new events, but not while the client reads slowly. */
  #follow(told: readonly { readonly next: () => string }[]): void {
    this.#progress = this.#options.timers.set(() => {
      this.#orDrop(() => {
        const text = this.#state === "flows" ? told.map((one) => one.next()).join("") : "";
        if (text === "") return;
        this.#waiting.push(text);
        this.#waitingLength += text.length;
        this.#send();
      });
      if (this.#state !== "over") this.#follow(told);
    }, progressMs);
  }

  /** Queues new events, and sends them if the client reads. */
  #take(events: readonly JournalEvent[]): void {
    this.#orDrop(() => {
      for (const event of events) if (this.#isForClient(event)) this.#add(event);
    });
    this.#send();
  }

  #isForClient({ journal, exchange }: JournalEvent): boolean {
    const { journal: own, filter } = this.#options;
    const isOther = journal.owner.id !== own.owner.id;
    // When another session is dropped, for example after a test, a client that watches all sessions keeps showing its
    // requests.
    if (isOther && (filter.sessions !== "all" || exchange === undefined)) return false;
    return exchange === undefined || matchesFilter(exchange, filter, own.all.now());
  }

  #add(event: JournalEvent): void {
    const isFull = this.#missed > 0 || this.#waitingLength >= mostWaiting;
    if (isFull && event.exchange === undefined && event.reload === undefined) {
      this.#emptied = clearedText(event.last);
    } else if (isFull) {
      this.#missed++;
    } else {
      const text = event.text(this.#options.withBodies);
      this.#waiting.push(text);
      this.#waitingLength += text.length;
    }
  }

  *#textsOf(events: readonly JournalEvent[]): Generator<string, void> {
    for (const event of events) {
      // The request has ended in the meantime, and a later event reports that.
      if (event.isOutdated || !this.#isForClient(event)) continue;
      yield event.text(this.#options.withBodies);
    }
  }

  /** Sends what is queued until the client stops reading. */
  #send(): void {
    this.#orDrop(() => {
      while (this.#state === "flows") {
        this.#rest ||= this.#nextEarlier() || this.#nextWaiting() || this.#nextMissed();
        if (this.#rest === "") return;
        this.#write(this.#takePart());
      }
    });
  }

  /** Takes the next part of the current event, without splitting a surrogate pair. */
  #takePart(): string {
    const isPair = /[\uD800-\uDBFF]/.test(this.#rest[partLength - 1] ?? "");
    const length = isPair ? partLength - 1 : partLength;
    const part = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return part;
  }

  #nextEarlier(): string {
    let text = "";
    while (text.length < joinedLength) {
      const next = this.#earlier.next();
      if (next.done === true) break;
      text += next.value;
    }
    return text;
  }

  /** Takes the next small events together. A large event is sent alone, since all watchers share its text. */
  #nextWaiting(): string {
    let [text = ""] = this.#waiting;
    let count = 1;
    for (; count < this.#waiting.length; count++) {
      const next = this.#waiting[count] ?? "";
      if (text.length + next.length > joinedLength) break;
      text += next;
    }
    this.#waiting = this.#waiting.slice(count);
    this.#waitingLength -= text.length;
    return text;
  }

  #nextMissed(): string {
    const text = this.#emptied + missedText(this.#missed);
    this.#emptied = "";
    this.#missed = 0;
    return text;
  }

  #write(data: string): void {
    this.#sent++;
    const goesOn = this.#sink.write(data);
    if (!goesOn && this.#state === "flows") this.#state = "full";
  }

  /** Closes this connection if the code fails, so that other watchers are not affected. */
  #orDrop(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.stop();
      this.#options.journal.all.report(error);
      this.#sink.finish("drop");
    }
  }

  /** The client has not read what was sent earlier, so a heartbeat would be useless. */
  #setHeartbeat(): void {
    const { timers } = this.#options;
    timers.clear(this.#heartbeat);
    if (this.#state !== "flows") return;
    this.#heartbeat = timers.set(() => {
      if (this.#state === "flows" && this.#rest === "") this.#write(": still here\n\n");
      this.#setHeartbeat();
    }, heartbeatMs);
  }
}

/** What a client gets at the beginning. */
interface Beginning {
  readonly notices: string;
  readonly events: readonly JournalEvent[];
}

function beginningOf({ journal, after, resumes }: LiveOptions): Beginning {
  if (after === undefined) return { notices: "", events: [] };
  const { count, cleared } = journal;
  let known = after;
  let notices = "";
  if (after > count) {
    // The client knows requests of an earlier session with this name.
    known = 0;
    notices = clearedText(0);
  } else if (resumes && cleared.count > 0 && cleared.count >= after) {
    // The client may know that the journal was emptied. Reporting it twice does no harm.
    known = cleared.count;
    notices = missedText(known - after) + clearedText(cleared.last);
  }
  const kept = journal.kept({ after: known });
  const first = kept[0]?.place ?? count + 1;
  const events = [...kept, ...journal.underWay()].map((one) => new JournalEvent(journal, one));
  return { notices: notices + missedText(first - 1 - known), events };
}

/** The event that reports missed events; empty if there are none. */
function missedText(count: number): string {
  return count > 0 ? `event: missed\ndata: {"count":${count}}\n\n` : "";
}
