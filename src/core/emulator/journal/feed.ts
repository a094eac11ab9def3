import type { Timers } from "../../http/scheduler.ts";
import type {
  JournalEntry,
  JournalOwner,
  JournalReload,
  JournalSummary,
  RecordedExchange,
} from "./entry.ts";

/** Events of this many milliseconds are sent together, so that many requests cause one write per watcher. */
const batchMs = 5;

/** What events need to know about a journal. */
export interface ObservedJournal {
  readonly owner: JournalOwner;
  /** The number of the request that ended last; 0 after another session began. */
  readonly last: number;
  read(exchange: RecordedExchange): JournalEntry;
  summarise(exchange: RecordedExchange): JournalSummary;
}

/** An event of a journal: a request arrived or ended, the journal was emptied, or fixtures were loaded again. All watchers share one object. */
export class JournalEvent {
  readonly journal: ObservedJournal;
  /** The request; undefined if the journal was emptied. */
  readonly exchange: RecordedExchange | undefined;
  /** The journal's `last` at the time of the event. */
  readonly last: number;
  /** The reload of the fixtures; undefined for other events. */
  readonly reload: JournalReload | undefined;
  readonly #hasEnded: boolean;
  #summary: string | undefined;
  #entry: string | undefined;

  constructor(journal: ObservedJournal, exchange?: RecordedExchange, reload?: JournalReload) {
    this.journal = journal;
    this.reload = reload;
    this.exchange = exchange;
    this.last = journal.last;
    this.#hasEnded = exchange?.ended !== "pending";
  }

  /** Whether this event says that a request arrived, and the request has ended since: a later event reports that. */
  get isOutdated(): boolean {
    return !this.#hasEnded && this.exchange?.ended !== "pending";
  }

  /** The server-sent event, created on first use and then shared. */
  text(withBodies: boolean): string {
    const { journal, exchange, reload } = this;
    if (reload !== undefined) return reloadText(reload);
    if (exchange === undefined) return clearedText(this.last);
    if (withBodies) return (this.#entry ??= requestText(journal.read(exchange)));
    return (this.#summary ??= requestText(journal.summarise(exchange)));
  }
}

/** The event of a request. Only an ended request has an event id, from which a client that reconnects continues. */
function requestText(entry: JournalSummary): string {
  const id = entry.ended === "pending" ? "" : `id: ${entry.id}\n`;
  return `event: request\n${id}data: ${JSON.stringify(entry)}\n\n`;
}

/** The event that reports an emptied journal. `last` is the number of the last request that ended. */
export function clearedText(last: number): string {
  return `event: cleared\nid: ${last}\ndata: {}\n\n`;
}

function reloadText({ at, after }: JournalReload): string {
  const data = { at: new Date(at).toISOString(), after: String(after) };
  return `event: reloaded\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Receives the events of the last few milliseconds. Must not throw. */
export type JournalListener = (events: readonly JournalEvent[]) => void;

/** Reports the events of all journals to listeners. Requests only add to a batch, so that no listener delays them. */
export class JournalFeed {
  /** A new array for each change, since a listener may be removed while the others are called. */
  listeners: readonly JournalListener[] = [];
  readonly #timers: Timers;
  #batch: JournalEvent[] = [];

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Calls a listener for each event from now on, until the returned function is called. */
  listen(listener: JournalListener): () => void {
    // The new listener must not get earlier events.
    this.#tellBatch();
    this.listeners = [...this.listeners, listener];
    return () => {
      this.listeners = this.listeners.filter((other) => other !== listener);
    };
  }

  /** Adds an event: a request arrived or ended, or, without `exchange`, the journal was emptied. */
  note(journal: ObservedJournal, exchange?: RecordedExchange): void {
    if (this.listeners.length > 0) this.#add(new JournalEvent(journal, exchange));
  }

  /** Adds the event of a reload of the fixtures. */
  noteReload(journal: ObservedJournal, reload: JournalReload): void {
    if (this.listeners.length > 0) this.#add(new JournalEvent(journal, undefined, reload));
  }

  #add(event: JournalEvent): void {
    this.#batch.push(event);
    if (this.#batch.length === 1) this.#timers.set(() => this.#tellBatch(), batchMs);
  }

  #tellBatch(): void {
    const events = this.#batch.filter(({ isOutdated }) => !isOutdated);
    this.#batch = [];
    if (events.length === 0) return;
    for (const listener of this.listeners) listener(events);
  }
}
