import type { Call } from "../../http/call.ts";
import { type JournalEntry, type JournalOwner, readEntry, type RecordedExchange } from "./entry.ts";
import {
  type ExchangeFilter,
  type JournalFilter,
  matchesFilter,
  refuseWrongFilters,
} from "./filter.ts";
import type { Journals } from "./journals.ts";

/** What was asked and answered, in the order in which it ended, oldest first. When there is more than fits, the oldest goes. */
export class Journal {
  readonly owner: JournalOwner;
  /** Those of all sessions. */
  readonly all: Journals;
  /** How many entries it keeps. */
  readonly #size: number;
  #isRetired = false;
  /** A ring: the oldest is at `#start`. */
  #kept: (RecordedExchange | undefined)[] = [];
  #start = 0;
  #bytes = 0;
  #count = 0;
  #clearedAt = 0;

  // oxlint-disable-next-line max-params
  constructor(owner: JournalOwner, size: number, all: Journals) {
    this.owner = owner;
    this.#size = size;
    this.all = all;
  }

  /** How many exchanges were recorded so far, those that are gone included. */
  get count(): number {
    return this.#count;
  }

  /** What the count was when it was last emptied. */
  get clearedAt(): number {
    return this.#clearedAt;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Adds what is over. It is made readable only when somebody reads it. Nobody can read the journal of a session that is gone. */
  record(exchange: RecordedExchange): void {
    if (this.#isRetired) return;
    this.#count++;
    this.#kept.push(exchange);
    this.#bytes += exchange.size;
    this.all.keep(this, exchange);
    if (this.#length > this.#size) this.dropOldest();
    this.all.tell(this, exchange, exchange.number);
  }

  /** The entries that a filter lets through, oldest first. Throws `ERR_OPTION_INVALID` for an unknown filter. */
  list(filter: JournalFilter = {}): readonly JournalEntry[] {
    refuseWrongFilters(filter);
    return this.kept(filter).map((exchange) => this.read(exchange));
  }

  /** What is kept and a filter lets through, oldest first, to be read where it is wanted. */
  kept(filter: ExchangeFilter = {}): readonly RecordedExchange[] {
    const { limit = Infinity } = filter;
    const found: RecordedExchange[] = [];
    for (let at = this.#start; at < this.#kept.length && found.length < limit; at++) {
      const exchange = this.#kept[at];
      if (exchange !== undefined && matchesFilter(exchange, filter)) found.push(exchange);
    }
    return found;
  }

  /** The places of what it keeps among what all journals do, oldest first. */
  orders(): readonly { readonly order: number; readonly journal: Journal }[] {
    return this.kept().map(({ order }) => ({ order, journal: this }));
  }

  /** An exchange of this journal as it is shown. */
  read(exchange: RecordedExchange): JournalEntry {
    return readEntry(exchange, this.owner);
  }

  clear(): void {
    this.#empty();
    this.#clearedAt = this.#count;
    this.all.tell(this, undefined, this.#count);
  }

  /** The session has gone. */
  retire(): void {
    this.#empty();
    this.#isRetired = true;
    this.all.tell(this, undefined, 0);
  }

  dropOldest(): void {
    const size = this.#kept[this.#start]?.size ?? 0;
    // Nothing may keep it.
    this.#kept[this.#start] = undefined;
    this.#start++;
    // Moved together now and then, so that dropping the oldest costs nothing.
    if (this.#start > 1000 && this.#start > this.#length) {
      this.#kept = this.#kept.slice(this.#start);
      this.#start = 0;
    }
    this.#bytes -= size;
    this.all.free(this, size);
  }

  #empty(): void {
    const bytes = this.#bytes;
    this.#kept = [];
    this.#start = 0;
    this.#bytes = 0;
    this.all.free(this, bytes);
  }

  get #length(): number {
    return this.#kept.length - this.#start;
  }
}

/** What the fields of an exchange take besides texts and bytes. The reply's headers are short, or a script's own. */
const entrySize = 1300;
/** What a header takes besides its name and value. */
const headerSize = 50;

/** What keeping the exchange of a call costs, about, in bytes. */
export function keptSize({ path, query, received, headers }: Call): number {
  let size = entrySize + path.length + query.length + (received?.byteLength ?? 0);
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0) + headerSize;
  return size;
}
