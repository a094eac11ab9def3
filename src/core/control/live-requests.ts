import { clearedText, JournalEvent } from "../emulator/journal/feed.ts";
import { type ExchangeFilter, matchesFilter } from "../emulator/journal/filter.ts";
import type { Journal } from "../emulator/journal/journal.ts";
import type { Playback, Sink, Timers } from "../http/scheduler.ts";

/** Milliseconds between signs of life: less than the minute after which proxies close a silent connection. */
const heartbeatMs = 15_000;

/** Characters that wait for a client. One that reads too slowly misses what comes then. */
const mostWaiting = 16_000_000;

/** Characters of small events that are joined into one write. */
const joinedLength = 65_536;

/** Characters that are written at once: with hundreds of watchers more of them would fill the memory. */
const partLength = 2 ** 18;

/** What a client of live requests gets. */
export interface LiveOptions {
  readonly journal: Journal;
  readonly timers: Timers;
  readonly filter: ExchangeFilter;
  /** Whether it gets whole entries, not only summaries. */
  readonly withBodies: boolean;
  /** How many had ended of those that are not asked for; undefined: only new requests. */
  readonly after: number | undefined;
  /** Whether the client has everything before that, since it was connected until then. */
  readonly resumes: boolean;
}

/**
 * Requests as server-sent events: first what is asked for of the journal, then what happens. Events wait for a client
 * that reads slowly. Where too many wait, it is told how many it missed.
 */
export class LiveRequests implements Playback {
  readonly #sink: Sink;
  readonly #options: LiveOptions;
  readonly #stopListening: () => void;
  #state: "flows" | "full" | "over" = "flows";
  /** Requests from before it began, each read when it is sent. */
  readonly #earlier: Iterator<string>;
  /** What is left of an event that is written in parts. */
  #rest = "";
  /** Events that come after it. */
  #waiting: string[] = [];
  #waitingLength = 0;
  /** How many events it misses after those that wait. */
  #missed = 0;
  /** Tells that the journal was emptied among those. */
  #emptied = "";
  #sent = 0;
  #heartbeat: unknown;

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
    this.#stopListening();
  };

  /** Takes what happened, and sends it now if the client reads. */
  #take(events: readonly JournalEvent[]): void {
    this.#orDrop(() => {
      for (const event of events) if (this.#isForClient(event)) this.#add(event);
    });
    this.#send();
  }

  #isForClient({ journal, exchange }: JournalEvent): boolean {
    const { journal: own, filter } = this.#options;
    const isOther = journal.owner.id !== own.owner.id;
    // A client that watches all sessions keeps what it knows of those that are gone, as after a test.
    if (isOther && (filter.sessions !== "all" || exchange === undefined)) return false;
    return exchange === undefined || matchesFilter(exchange, filter, own.all.now());
  }

  #add(event: JournalEvent): void {
    const isFull = this.#missed > 0 || this.#waitingLength >= mostWaiting;
    if (isFull && event.exchange === undefined) {
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
      // The end of one that was under way is told by what happened since.
      if (event.isOutdated || !this.#isForClient(event)) continue;
      yield event.text(this.#options.withBodies);
    }
  }

  /** Sends what there is, until the client is slow. */
  #send(): void {
    this.#orDrop(() => {
      while (this.#state === "flows") {
        this.#rest ||= this.#nextEarlier() || this.#nextWaiting() || this.#nextMissed();
        if (this.#rest === "") return;
        this.#write(this.#takePart());
      }
    });
  }

  /** Takes the beginning of what is to be written, and parts no pair of surrogates. */
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

  /** The events that wait, as far as they are small. A large one comes alone, since all watchers share its text. */
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

  /** A failure breaks this connection, and no other one. */
  #orDrop(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.stop();
      this.#options.journal.all.report(error);
      this.#sink.finish("drop");
    }
  }

  /** A client that has not read earlier messages needs no sign of life. */
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

/** What a client is told first, and the requests that it gets then. */
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
    // It knows requests of a session of this name that is gone.
    known = 0;
    notices = clearedText(0);
  } else if (resumes && cleared.count > 0 && cleared.count >= after) {
    // Perhaps the client knows; to be told twice does no harm.
    known = cleared.count;
    notices = missedText(known - after) + clearedText(cleared.last);
  }
  const kept = journal.kept({ after: known });
  const first = kept[0]?.place ?? count + 1;
  const events = [...kept, ...journal.underWay()].map((one) => new JournalEvent(journal, one));
  return { notices: notices + missedText(first - 1 - known), events };
}

/** Tells how many events about requests a client missed; nothing where it missed none. */
function missedText(count: number): string {
  return count > 0 ? `event: missed\ndata: {"count":${count}}\n\n` : "";
}
