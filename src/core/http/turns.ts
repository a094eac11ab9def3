import type { Play } from "../steps/steps.ts";
import type { Call } from "./call.ts";
import type { Timers } from "./scheduler.ts";

/** Milliseconds after which others have a turn. */
const turnMs = 10;

/** Why work ended early: nobody waits for its result. */
export const nobodyWaits: Error = new Error("The client has gone.");

/** The turns in which the work of one request is done. */
export class Turns {
  readonly #timers: Timers;
  readonly #call: Pick<Call, "signal">;
  #began: number;

  constructor(timers: Timers, call: Pick<Call, "signal">) {
    this.#timers = timers;
    this.#call = call;
    this.#began = timers.now();
  }

  /** Does work in turns. Rejects with `nobodyWaits` at the first turn after the client has gone. */
  readonly play: Play = async (steps) => {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      if (this.#timers.now() - this.#began >= turnMs) await this.#rest();
    }
  };

  async #rest(): Promise<void> {
    await new Promise<void>((resolve) => void this.#timers.set(resolve, 0));
    if (this.#call.signal.aborted) throw nobodyWaits;
    this.#began = this.#timers.now();
  }
}
