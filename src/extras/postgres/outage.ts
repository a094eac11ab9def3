import type { TablesAddress } from "./address.ts";
import { DatabaseFailure, isBug } from "./unreachable.ts";

/** Told of what happens to the tables. */
export interface TablesEvents {
  /** Rows cannot be had, and not because of one request alone: all, or those of a table. Once, until they can. */
  readonly lost?: (message: string) => void;
  /** They can be had again: all, or those of this table. */
  readonly found?: (table?: string) => void;
}

/** Whether PostgreSQL can be asked: makes failures of what it says, and tells when it is lost and when it is found. */
export class Outage {
  readonly #address: TablesAddress;
  readonly #events: TablesEvents;
  #isTold = false;
  #isLost = false;

  constructor(address: TablesAddress, events: TablesEvents) {
    this.#address = address;
    this.#events = events;
  }

  /** Tells from now on. Before, whoever starts is told by what is thrown. */
  begin(): void {
    this.#isTold = true;
  }

  /** Asks PostgreSQL. Where that fails it rejects with a `DatabaseFailure`, unless it is a bug. */
  async reaching<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      if (isBug(error) || error instanceof DatabaseFailure) throw error;
      throw this.#failure(error);
    }
  }

  /** The copy is up to date. */
  reached(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#events.found?.();
  }

  #failure(error: unknown): DatabaseFailure {
    const failure = new DatabaseFailure(error, this.#address);
    if (failure.isLasting && !this.#isLost && this.#isTold) {
      this.#isLost = true;
      this.#events.lost?.(failure.message);
    }
    return failure;
  }
}
