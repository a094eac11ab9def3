import type { ServerResponse } from "node:http";
import type { Timers } from "../../core/http/timers.ts";

/** What is held no longer than this, and what the request takes that is answered then: others may take long. */
const longestMs = 1;

/**
 * Responses that are written but for their end, each on a corked socket. They go out together when the turn of the event
 * loop is over: a client with several connections is woken once, not for each. With eight of them a chat takes a tenth
 * less CPU; with one nothing is lost.
 */
export class HeldResponses {
  readonly #timers: Pick<Timers, "now">;
  #held: ServerResponse[] = [];
  #since = 0;

  constructor(timers: Pick<Timers, "now">) {
    this.#timers = timers;
  }

  /** Takes a response, to uncork its socket and to end it. */
  hold(response: ServerResponse): void {
    const now = this.#timers.now();
    this.#held.push(response);
    if (this.#held.length === 1) {
      this.#since = now;
      setImmediate(() => this.release());
    } else if (now - this.#since >= longestMs) this.release();
  }

  /** Sends all that is held. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const response of held) {
      response.socket?.uncork();
      response.end();
    }
  }
}
