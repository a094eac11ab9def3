import type { Io } from "./io.ts";
import { jsonLog } from "./json-log.ts";
import type { Log } from "./log.ts";
import { prettyLog } from "./pretty-log.ts";
import { silentLog } from "./silent-log.ts";
import type { LogFormat } from "./start-options.ts";

const formats: Readonly<Record<LogFormat, (io: Io) => Log>> = {
  pretty: prettyLog,
  json: jsonLog,
  silent: silentLog,
};

/** The log in one of its formats. */
export function createLog(format: LogFormat, io: Io): Log {
  return formats[format](io);
}
