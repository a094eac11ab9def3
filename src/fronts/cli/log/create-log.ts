import { describeFailure } from "../failure.ts";
import type { Io } from "../io.ts";
import type { LogFormat } from "../flags.ts";
import type { Log } from "./log.ts";

/** Only the requested format is loaded. */
const formats: Readonly<Record<LogFormat, () => Promise<(io: Io) => Log>>> = {
  pretty: async () => (await import("./pretty-log.ts")).prettyLog,
  json: async () => (await import("./json-log.ts")).jsonLog,
  silent: () => Promise.resolve(silentLog),
};

/** The log in one of its formats. */
export async function createLog(format: LogFormat, io: Io): Promise<Log> {
  const logTo = await formats[format]();
  return logTo(io);
}

function nothing(): void {}

/** Errors only. */
function silentLog(io: Io): Log {
  const tell = (error: unknown): void => io.stderr.write(`${describeFailure(error)}\n`);
  return {
    ready: nothing,
    reloaded: nothing,
    refused: (_, error) => tell(error),
    tables: (state, message) => {
      if (state === "lost") io.stderr.write(`tables lost: ${message}\n`);
    },
    warned: nothing,
    failed: tell,
  };
}
