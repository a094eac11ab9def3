import { isEmulatorError } from "../../core/errors/emulator-error.ts";

/** The exit codes, the same for every command. */
export const exitCodes = {
  done: 0,
  /** The user's problem. A message says what is wrong and what to do. */
  problem: 1,
  usage: 2,
  bug: 70,
} as const;

const report = `This is a bug in Backlot. Please report it with these lines and what you did before.`;

/** The report of a failure: the message for a user's mistake, the stack for a bug. */
export function describeFailure(error: unknown): string {
  if (isEmulatorError(error)) return `error: ${withoutPasswords(error.message)}`;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${stack}\n${report}`;
}

/** A message without user and password in its URLs, or in a path where a database URL was given for fixtures. */
function withoutPasswords(message: string): string {
  return message.replaceAll(/([a-z]{2}:\/\/?)[^\s"/]+@/gi, "$1…@");
}

/** The exit code for a failure. */
export function exitCodeFor(error: unknown): number {
  return isEmulatorError(error) ? exitCodes.problem : exitCodes.bug;
}
