import { EmulatorError } from "./emulator-error.ts";

/** A question that no server took. */
export interface UnansweredQuestion {
  /** What was to be done: `read the journal`. */
  readonly what: string;
  readonly url: string;
  /** What to do about it. */
  readonly advice: string;
}

/** The error for a server that is not there, or gave no answer in time: `cause` is what `fetch` rejected with. */
export function nothingAnswers(
  { what, url, advice }: UnansweredQuestion,
  cause: unknown,
): EmulatorError {
  return noServer(`Cannot ${what}: nothing answers at ${url}${reasonOf(cause)}. ${advice}`, cause);
}

/** The error for a server of something else, which answered with this status. */
export function noBacklotAnswers(
  { what, url, advice }: UnansweredQuestion,
  status: number,
): EmulatorError {
  return noServer(`Cannot ${what}: what answers at ${url} (${status}) is no Backlot. ${advice}`);
}

function noServer(message: string, cause?: unknown): EmulatorError {
  return new EmulatorError("ERR_SERVER_UNREACHABLE", message, { cause });
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return " in time";
  const code = fetchFailureCode(error);
  return code === undefined ? "" : ` (${code})`;
}

/** Ports that no `fetch` goes to. */
const badPort = "bad port";

/**
 * Why `fetch` failed, such as `ECONNREFUSED`. It is hidden in the error's cause, and there among those of each address
 * that was tried.
 */
export function fetchFailureCode(error: unknown, depth: number = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth > 4) return undefined;
  if ("message" in error && error.message === badPort) return badPort;
  if ("code" in error && typeof error.code === "string") return error.code;
  if ("errors" in error && Array.isArray(error.errors)) {
    return fetchFailureCode(error.errors[0], depth + 1);
  }
  return "cause" in error ? fetchFailureCode(error.cause, depth + 1) : undefined;
}
