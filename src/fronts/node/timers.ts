import { hrtime } from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import type { Timers } from "../../core/http/scheduler.ts";

/** Timers whose handles are Node's. */
interface NodeTimers extends Timers {
  readonly set: (run: () => void, ms: number) => NodeJS.Timeout;
}

/**
 * Node's own timers and clock, even while a test has fake ones installed: a server keeps real time, as one in another
 * process does. The global `performance` is not used, since its first use loads nine modules, which takes 3 ms.
 */
export const nodeTimers: NodeTimers = {
  now: () => {
    const [seconds, nanoseconds] = hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
  set: (run, ms) => setTimeout(run, ms),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout | undefined),
};
