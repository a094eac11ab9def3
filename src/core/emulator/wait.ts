import type { Timers } from "../http/scheduler.ts";

/** Waits, and tells whether the whole time passed: false when `signal` was aborted before. */
export function wait(ms: number, signal: AbortSignal, timers: Timers): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(false);
      return;
    }
    const abort = (): void => {
      timers.clear(handle);
      resolve(false);
    };
    const handle = timers.set(() => {
      signal.removeEventListener("abort", abort);
      resolve(true);
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
