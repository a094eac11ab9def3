import { JournalEvent } from "../emulator/journal/feed.ts";
import { type ExchangeFilter, matchesFilter } from "../emulator/journal/filter.ts";
import { hasBegun, type RecordedExchange } from "../emulator/journal/entry.ts";
import type { Journal } from "../emulator/journal/journal.ts";
import { bytesSent, sentFrames } from "../emulator/journal/response.ts";

/** How often clients are told how far the requests under way are, in milliseconds. */
export const progressMs = 250;

/** What a client of progress has asked for. */
interface ProgressOptions {
  readonly journal: Journal;
  readonly filter: ExchangeFilter;
  readonly withBodies: boolean;
}

/** How far the requests under way are, as events for one client. It is told only what has changed. */
export class LiveProgress {
  readonly #options: ProgressOptions;
  /** How many frames of each request under way the client knows. */
  #known: Map<RecordedExchange, number> = new Map();
  #elsewhere = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** The events since the last call; empty if nothing has changed. */
  next(): string {
    const { journal, filter } = this.#options;
    const journals = filter.sessions === "all" ? [...journal.all.journals] : [journal];
    const before = this.#known;
    this.#known = new Map();
    const begun: string[] = [];
    const further: object[] = [];
    for (const one of journals) {
      for (const exchange of one.underWay(filter)) {
        if (!hasBegun(exchange, journal.all.now())) continue;
        const sent = exchange.sent?.ms.length ?? 0;
        const known = before.get(exchange);
        this.#known.set(exchange, sent);
        if (known === undefined) begun.push(this.#textOf(one, exchange));
        else if (sent > known) further.push(this.#progressOf(one, exchange, known));
      }
    }
    return begun.join("") + this.#eventOf(further);
  }

  /** The whole entry of a request whose answer has begun. */
  #textOf(journal: Journal, exchange: RecordedExchange): string {
    return new JournalEvent(journal, exchange).text(this.#options.withBodies);
  }

  #progressOf(journal: Journal, exchange: RecordedExchange, known: number): object {
    const { owner, all } = journal;
    return {
      id: String(exchange.number),
      session: exchange.session ?? null,
      durationMs: all.now() - exchange.started,
      chunksSent: exchange.sent?.ms.length ?? 0,
      bytes: bytesSent(exchange),
      ...(this.#options.withBodies ? { frames: sentFrames(exchange, known, owner.ownKeys) } : {}),
    };
  }

  #eventOf(requests: readonly object[]): string {
    const elsewhere = this.#countElsewhere();
    if (requests.length === 0 && elsewhere === this.#elsewhere) return "";
    this.#elsewhere = elsewhere;
    return `event: progress\ndata: ${JSON.stringify({ requests, elsewhere })}\n\n`;
  }

  /** How many requests are under way in sessions that the client does not watch. */
  #countElsewhere(): number {
    const { journal, filter } = this.#options;
    if (filter.sessions === "all") return 0;
    const now = journal.all.now();
    const others = [...journal.all.journals].filter((one) => one !== journal);
    return others.reduce(
      (count, one) =>
        count + one.underWay().filter((exchange) => matchesFilter(exchange, filter, now)).length,
      0,
    );
  }
}
