import { describeFailure } from "./describe-failure.ts";
import type { Io } from "./io.ts";
import type { Log } from "./log.ts";

function nothing(): void {}

/** Nothing but errors. */
export function silentLog(io: Io): Log {
  const tell = (error: unknown): void => io.stderr.write(`${describeFailure(error)}\n`);
  return {
    ready: nothing,
    reloaded: nothing,
    refused: (_, error) => tell(error),
    tables: (state, message) => {
      if (state === "lost") io.stderr.write(`tables lost: ${message}\n`);
    },
    failed: tell,
  };
}
