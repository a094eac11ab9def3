/** SQLite takes the time from `Date.now`, but fixtures have their own. Nothing else runs meanwhile. */
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
