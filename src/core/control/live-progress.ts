import { JournalEvent } from "../emulator/journal/feed.ts";
import { type ExchangeFilter, matchesFilter } from "../emulator/journal/filter.ts";
import { hasBegun, type RecordedExchange } from "../emulator/journal/entry.ts";
import type { Journal } from "../emulator/journal/journal.ts";
import { bytesSent, sentFrames } from "../emulator/journal/response.ts";

/** How often clients hear about the progress of requests, in milliseconds. */
export const progressMs = 250;

/** The most answers whose beginning is reported at once. Others follow the next time. */
const mostBegun = 50;

/** What the client knows of an answer under way. */
interface Known {
  readonly frames: number;
  readonly bytes: number;
}

/** What a client of progress has asked for. */
interface ProgressOptions {
  readonly journal: Journal;
  readonly filter: ExchangeFilter;
  readonly withBodies: boolean;
}

/** The progress of requests under way, as events for one client, which hears only what has changed. */
export class LiveProgress {
  readonly #options: ProgressOptions;
  /** What the client knows of each request under way. */
  #known: Map<RecordedExchange, Known> = new Map();
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
        const known = before.get(exchange);
        if (known === undefined && begun.length >= mostBegun) continue;
        const now = knownOf(exchange, known);
        this.#known.set(exchange, now);
        if (known === undefined) begun.push(this.#textOf(one, exchange));
        else if (now.frames > known.frames) further.push(this.#progressOf(one, exchange, known));
      }
    }
    return begun.join("") + this.#eventOf(further);
  }

  /** The whole entry of a request whose answer has begun. */
  #textOf(journal: Journal, exchange: RecordedExchange): string {
    return new JournalEvent(journal, exchange).text(this.#options.withBodies);
  }

  #progressOf(journal: Journal, exchange: RecordedExchange, known: Known): object {
    const { owner, all } = journal;
    const { frames, bytes } = this.#known.get(exchange) ?? known;
    return {
      id: String(exchange.number),
      session: exchange.session ?? null,
      durationMs: all.now() - exchange.started,
      chunksSent: frames,
      bytes,
      ...(this.#options.withBodies
        ? { frames: sentFrames(exchange, known.frames, owner.ownKeys) }
        : {}),
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

/** How much of an answer has been sent, counted on from what was known before. */
function knownOf(
  exchange: RecordedExchange,
  { frames, bytes }: Known = { frames: 0, bytes: 0 },
): Known {
  const sent = exchange.sent?.ms.length ?? 0;
  return { frames: sent, bytes: bytes + bytesSent(exchange, frames) };
}
