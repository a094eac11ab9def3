/**
 * Runs `work` with `Date.now` at a fixed time. SQLite reads `Date.now`, but fixtures have a clock of their own. `work`
 * is synchronous, so nothing else sees that time.
 */
export function atTime<Result>(now: number, work: () => Result): Result {
  // oxlint-disable-next-line no-restricted-properties -- The machine's clock is restored, and never read.
  const { now: ofMachine } = Date;
  const clock: { now: () => number } = Date;
  clock.now = () => now;
  try {
    return work();
  } finally {
    clock.now = ofMachine;
  }
}
