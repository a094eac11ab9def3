import { isEmulatorError } from "../../../core/errors/emulator-error.ts";
import type { Io } from "../io.ts";
import type { Log } from "./log.ts";

/** One line of JSON per event, for programs to read. */
export function jsonLog(io: Io): Log {
  function line(event: string, fields: object): void {
    io.stdout.write(`${JSON.stringify({ event, ...fields })}\n`);
  }
  return {
    ready: ({ counts, fixtures, ...ready }) => {
      line("ready", { ...ready, fixtures: { from: fixtures, ...counts } });
    },
    // The real time: the emulator's clock may be stopped.
    exchange: (record) => {
      line("request", { ...record, at: new Date(io.now()).toISOString() });
    },
    reloaded: ({ counts, fixtures, ...reloaded }) => {
      line("reload", { ...reloaded, fixtures: { from: fixtures, ...counts } });
    },
    refused: (fixtures, error) => line("problems", { fixtures, ...errorFields(error) }),
    tables: (state, message) => line("tables", { state, message }),
    warned: (message) => line("warning", { message }),
    failed: (error) => line("error", errorFields(error)),
  };
}

function errorFields(error: unknown): object {
  if (isEmulatorError(error)) {
    const { code, message, problems } = error;
    return { code, message, problems };
  }
  if (error instanceof Error) return { message: error.message, stack: error.stack };
  return { message: String(error) };
}
