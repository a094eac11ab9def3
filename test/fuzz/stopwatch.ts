/**
 * Tells what took too long from what had to wait for a machine that is busy with something else: what counts is the work
 * of this process, or a wait that is five times as long.
 */
export class Stopwatch {
  readonly #started: number = performance.now();
  readonly #before: NodeJS.CpuUsage = recentUsage(this.#started);

  get ms(): number {
    return performance.now() - this.#started;
  }

  /** What is left of so many milliseconds, at least; 0 when they are over. */
  leftOf(limitMs: number): number {
    const { ms } = this;
    if (ms < limitMs) return limitMs - ms;
    if (ms > 5 * limitMs) return 0;
    const { user, system } = process.cpuUsage(this.#before);
    return Math.max(0, limitMs - (user + system) / 1_000);
  }
}

/** So old may be what was read of the work before: to read it takes 0.3 ms in some containers. */
const staleMs = 10;

let read = { ms: Number.NEGATIVE_INFINITY, usage: { user: 0, system: 0 } };

function recentUsage(now: number): NodeJS.CpuUsage {
  if (now - read.ms > staleMs) read = { ms: now, usage: process.cpuUsage() };
  return read.usage;
}
