import type { JournalEntry } from "../../control/journal-entry.ts";
import { readableEntry, type RecordedExchange } from "./entry.ts";
import { type JournalFilter, matchesFilter, refuseUnknownFilters } from "./filter.ts";

/** How much a journal keeps. */
export interface JournalLimits {
  /** Entries. */
  readonly entries: number;
  /** Bytes of their bodies, requests' and replies' together. */
  readonly bytes: number;
}

/** What was asked and answered, oldest first. When there is more than fits, the oldest goes. */
export class Journal {
  readonly #limits: JournalLimits;
  /** A ring: the oldest is at `#start`. */
  #kept: (RecordedExchange | undefined)[] = [];
  #start = 0;
  #bytes = 0;
  #count = 0;

  constructor(limits: JournalLimits) {
    this.#limits = limits;
  }

  /** How many exchanges were recorded so far, those that are gone included. */
  get count(): number {
    return this.#count;
  }

  /** Adds what is over. It is made readable only when somebody reads it. */
  record(exchange: RecordedExchange): void {
    this.#count++;
    this.#kept.push(exchange);
    this.#bytes += exchange.size;
    while (this.#length > this.#limits.entries || this.#isTooLarge()) this.#dropOldest();
    // Moved together now and then, so that dropping the oldest costs nothing.
    if (this.#start > 1000 && this.#start > this.#length) {
      this.#kept = this.#kept.slice(this.#start);
      this.#start = 0;
    }
  }

  /** The entries that a filter lets through, oldest first. Throws `ERR_OPTION_INVALID` for an unknown filter. */
  list(filter: JournalFilter = {}): readonly JournalEntry[] {
    refuseUnknownFilters(filter);
    const { limit = Infinity } = filter;
    const found: JournalEntry[] = [];
    for (let at = this.#start; at < this.#kept.length && found.length < limit; at++) {
      const exchange = this.#kept[at];
      if (exchange !== undefined && matchesFilter(exchange, filter)) {
        found.push(readableEntry(exchange));
      }
    }
    return found;
  }

  clear(): void {
    this.#kept = [];
    this.#start = 0;
    this.#bytes = 0;
  }

  get #length(): number {
    return this.#kept.length - this.#start;
  }

  /** The newest is kept whatever its size: it is what one looks for. */
  #isTooLarge(): boolean {
    return this.#bytes > this.#limits.bytes && this.#length > 1;
  }

  #dropOldest(): void {
    this.#bytes -= this.#kept[this.#start]?.size ?? 0;
    // Nothing may keep it.
    this.#kept[this.#start] = undefined;
    this.#start++;
  }
}
