import type { Play } from "../steps/steps.ts";
import type { Call } from "./call.ts";
import type { Timers } from "./scheduler.ts";

/** Milliseconds after which others have a turn. */
const turnMs = 10;

/** Why work ended early: nobody waits for its result. */
export const nobodyWaits: Error = new Error("The client has gone.");

/** Does the work of one request in turns. Rejects with `nobodyWaits` at the first turn after the client has gone. */
export function playInTurns(timers: Timers, { signal }: Pick<Call, "signal">): Play {
  let began = timers.now();
  return async (steps) => {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      if (timers.now() - began < turnMs) continue;
      await new Promise<void>((resolve) => void timers.set(resolve, 0));
      if (signal.aborted) throw nobodyWaits;
      began = timers.now();
    }
  };
}
