import type { ExchangeRecord, Observer } from "../../src/index.ts";

interface Waiting {
  readonly wanted: (records: readonly ExchangeRecord[]) => boolean;
  readonly resolve: () => void;
}

/** An observer that keeps what it is told, and fails loudly when a failure was not looked at. */
export class ObserverLog implements Observer {
  readonly records: ExchangeRecord[] = [];
  readonly #failures: unknown[] = [];
  #waiting: Waiting[] = [];

  readonly exchanged = (record: ExchangeRecord): void => {
    this.records.push(record);
    const met = this.#waiting.filter(({ wanted }) => wanted(this.records));
    this.#waiting = this.#waiting.filter((one) => !met.includes(one));
    for (const { resolve } of met) resolve();
  };

  readonly failed = (error: unknown): void => {
    this.#failures.push(error);
  };

  /** The failures so far, which are read by that. */
  takeFailures(): readonly unknown[] {
    return this.#failures.splice(0);
  }

  throwUnread(): void {
    const unread = this.takeFailures();
    if (unread.length > 0)
      throw new AggregateError(unread, `The emulator failed: ${String(unread[0])}`);
  }

  /** Resolves with the last record once there are that many; a front tells of an exchange after its answer. */
  async settled(count: number): Promise<ExchangeRecord> {
    if (this.records.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting.push({ wanted: (records) => records.length >= count, resolve });
      });
    }
    const last = this.records.at(-1);
    if (last === undefined) throw new Error("No exchange was recorded.");
    return last;
  }
}
