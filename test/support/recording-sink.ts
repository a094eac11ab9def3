import type { StreamEnd } from "../../src/core/http/event-stream.ts";
import type { Sink } from "../../src/core/http/scheduler.ts";

/** A write and the time at which it came. */
export interface Written {
  readonly at: number;
  readonly data: string | Uint8Array;
}

/** A sink that notes what is written, and that a test can declare full. */
export class RecordingSink implements Sink {
  readonly writes: Written[] = [];
  readonly ends: (StreamEnd | "drop")[] = [];
  /** What `write` answers. */
  takesMore = true;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** All text so far. */
  get text(): string {
    return this.writes.map(({ data }) => data).join("");
  }

  /** Times of the writes. */
  get times(): number[] {
    return this.writes.map(({ at }) => at);
  }

  readonly write = (data: string | Uint8Array): boolean => {
    this.writes.push({ at: this.#now(), data });
    return this.takesMore;
  };

  readonly finish = (how: StreamEnd | "drop"): void => {
    this.ends.push(how);
  };
}
