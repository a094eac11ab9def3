/** The clock and the alarm that a scheduler runs on. Passed in, so that a test can move time by hand. */
export interface Timers {
  /** Milliseconds that only ever grow. Their zero means nothing. */
  readonly now: () => number;
  /** Calls `run` once, not before `ms` milliseconds have passed. */
  readonly set: (run: () => void, ms: number) => unknown;
  readonly clear: (handle: unknown) => void;
}
