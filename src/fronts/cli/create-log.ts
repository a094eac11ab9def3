import type { Io } from "./io.ts";
import type { Log } from "./log.ts";
import type { LogFormat } from "./start-options.ts";

/** Only the format that is asked for is loaded. */
const formats: Readonly<Record<LogFormat, () => Promise<(io: Io) => Log>>> = {
  pretty: async () => (await import("./pretty-log.ts")).prettyLog,
  json: async () => (await import("./json-log.ts")).jsonLog,
  silent: async () => (await import("./silent-log.ts")).silentLog,
};

/** The log in one of its formats. */
export async function createLog(format: LogFormat, io: Io): Promise<Log> {
  const logTo = await formats[format]();
  return logTo(io);
}
