/**
 * Tells what took too long from what had to wait for a machine that is busy with something else: what counts is the work
 * of this process, or a wait that is five times as long.
 */
export class Stopwatch {
  readonly #started: number = performance.now();
  readonly #before: NodeJS.CpuUsage = process.cpuUsage();

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
