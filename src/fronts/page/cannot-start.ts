import { EmulatorError } from "../../core/errors/emulator-error.ts";

/** Why there is no worker, and what to do. */
export function cannotStart(why: string, cause?: unknown): EmulatorError {
  const message = `Cannot start the worker: ${why}`;
  return new EmulatorError("ERR_OPTION_INVALID", message, { cause });
}
