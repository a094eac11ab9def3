import type { Timers } from "../../src/core/http/scheduler.ts";

interface Alarm {
  readonly at: number;
  readonly run: () => void;
}

/** Timers whose time moves only when told to. */
export class HandTimers implements Timers {
  #now: number;
  /** How many milliseconds after its time an alarm rings. */
  #late = 0;
  readonly #alarms = new Set<Alarm>();

  constructor(start = 0) {
    this.#now = start;
  }

  readonly now = (): number => this.#now;

  readonly set = (run: () => void, ms: number): unknown => {
    // As setTimeout does with what it cannot wait for.
    const wait = ms > 2 ** 31 - 1 ? 1 : ms;
    const alarm = { at: this.#now + wait, run };
    this.#alarms.add(alarm);
    return alarm;
  };

  readonly clear = (handle: unknown): void => {
    for (const alarm of this.#alarms) if (alarm === handle) this.#alarms.delete(alarm);
  };

  /** Alarms that are set. */
  get pending(): number {
    return this.#alarms.size;
  }

  /** From now on alarms ring that much after their time, as on a busy machine. */
  delayAlarms(ms: number): void {
    this.#late = ms;
  }

  /** Moves time on, ringing the alarms on the way at their times. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#earliest();
      if (next === undefined || next.at + this.#late > until) break;
      this.#alarms.delete(next);
      this.#now = Math.max(this.#now, next.at + this.#late);
      next.run();
    }
    this.#now = Math.max(this.#now, until);
  }

  #earliest(): Alarm | undefined {
    let earliest: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (earliest === undefined || alarm.at < earliest.at) earliest = alarm;
    }
    return earliest;
  }
}
