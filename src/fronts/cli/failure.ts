import { isEmulatorError } from "../../core/errors/emulator-error.ts";

/** The exit codes, the same for every command. */
export const exitCodes = {
  done: 0,
  /** The user's problem: what is wrong and what to do was said. */
  problem: 1,
  usage: 2,
  bug: 70,
} as const;

const report = `This is a bug in Backlot. Please report it with these lines, and what you did before it.`;

/** What to tell of a failure: the message of a user's mistake, the stack of our own. */
export function describeFailure(error: unknown): string {
  if (isEmulatorError(error)) return `error: ${withoutPasswords(error.message)}`;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${stack}\n${report}`;
}

/** A message without user and password of the URLs in it, also as a path: where a database was given for fixtures. */
function withoutPasswords(message: string): string {
  return message.replaceAll(/([a-z]{2}:\/\/?)[^\s"/]+@/gi, "$1…@");
}

/** The exit code for a failure. */
export function exitCodeFor(error: unknown): number {
  return isEmulatorError(error) ? exitCodes.problem : exitCodes.bug;
}
