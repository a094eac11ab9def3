import { describeFailure } from "./describe-failure.ts";
import type { Io } from "./io.ts";
import type { Log } from "./log.ts";

function nothing(): void {}

/** Nothing but errors, and workers that die. */
export function silentLog(io: Io): Log {
  const tell = (error: unknown): void => io.stderr.write(`${describeFailure(error)}\n`);
  return {
    ready: nothing,
    reloaded: nothing,
    refused: (_, error) => tell(error),
    tables: (state, message) => {
      if (state === "lost") io.stderr.write(`tables lost: ${message}\n`);
    },
    workerDied: (worker, how) => io.stderr.write(`worker ${worker} died (${how})\n`),
    failed: tell,
  };
}
