import type { Timers } from "../../../core/http/scheduler.ts";

/** Resolves when it is somebody's turn. */
export type Turn = () => Promise<void>;

/** Lets at most so many have their turn in a second, evenly spread; the first at once. */
export function paceOf(perSecond: number, timers: Timers): Turn {
  const gapMs = 1000 / perSecond;
  let next: number | undefined;
  return async () => {
    const now = timers.now();
    const due = Math.max(next ?? now, now);
    next = due + gapMs;
    if (due > now) await wait(due - now, timers);
  };
}

/** Resolves after so many milliseconds. */
export function wait(ms: number, timers: Timers): Promise<void> {
  return new Promise((resolve) => {
    timers.set(resolve, ms);
  });
}
