import type { Timers } from "../../http/scheduler.ts";
import type { JournalEntry, JournalOwner, JournalSummary, RecordedExchange } from "./entry.ts";

/** Milliseconds in which events are gathered: many requests are then one write for each who watches. */
const batchMs = 5;

/** The journal in which something happens. */
export interface ToldJournal {
  readonly owner: JournalOwner;
  /** The number of the request that ended last; 0 where another session begins. */
  readonly last: number;
  read(exchange: RecordedExchange): JournalEntry;
  summarise(exchange: RecordedExchange): JournalSummary;
}

/** A request has arrived or has ended, or its journal was emptied. One event is made for all who watch. */
export class JournalEvent {
  readonly journal: ToldJournal;
  /** Undefined: the journal was emptied. */
  readonly exchange: RecordedExchange | undefined;
  /** The journal's last number at that time. */
  readonly last: number;
  readonly #hasEnded: boolean;
  #summary: string | undefined;
  #entry: string | undefined;

  constructor(journal: ToldJournal, exchange?: RecordedExchange) {
    this.journal = journal;
    this.exchange = exchange;
    this.last = journal.last;
    this.#hasEnded = exchange?.ended !== "pending";
  }

  /** Whether the request has ended since it arrived. Another event tells that. */
  get isOutdated(): boolean {
    return !this.#hasEnded && this.exchange?.ended !== "pending";
  }

  /** As a server-sent event, made when somebody asks for it first. */
  text(withBodies: boolean): string {
    const { journal, exchange } = this;
    if (exchange === undefined) return clearedText(this.last);
    if (withBodies) return (this.#entry ??= requestText(journal.read(exchange)));
    return (this.#summary ??= requestText(journal.summarise(exchange)));
  }
}

/** A client that connects anew continues after a request that has ended. */
function requestText(entry: JournalSummary): string {
  const id = entry.ended === "pending" ? "" : `id: ${entry.id}\n`;
  return `event: request\n${id}data: ${JSON.stringify(entry)}\n\n`;
}

/** Tells that the journal was emptied, after so many requests. */
export function clearedText(last: number): string {
  return `event: cleared\nid: ${last}\ndata: {}\n\n`;
}

/** Gets what happened in the last few milliseconds. It throws nothing. */
export type JournalListener = (events: readonly JournalEvent[]) => void;

/** Tells those who watch what happens in all journals. A request only leaves a note, so that no watcher delays it. */
export class JournalFeed {
  /** Replaced at each change: one may go while all are told. */
  listeners: readonly JournalListener[] = [];
  readonly #timers: Timers;
  #batch: JournalEvent[] = [];

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Tells a listener what happens from now on. The result stops that. */
  listen(listener: JournalListener): () => void {
    // What was noted before is not for the new listener.
    this.#tellBatch();
    this.listeners = [...this.listeners, listener];
    return () => {
      this.listeners = this.listeners.filter((other) => other !== listener);
    };
  }

  /** Notes that a request has arrived or has ended, or that the journal was emptied. */
  note(journal: ToldJournal, exchange?: RecordedExchange): void {
    if (this.listeners.length === 0) return;
    this.#batch.push(new JournalEvent(journal, exchange));
    if (this.#batch.length === 1) this.#timers.set(() => this.#tellBatch(), batchMs);
  }

  #tellBatch(): void {
    const events = this.#batch.filter(({ isOutdated }) => !isOutdated);
    this.#batch = [];
    if (events.length === 0) return;
    for (const listener of this.listeners) listener(events);
  }
}
