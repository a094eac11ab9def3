import { EmulatorError } from "./emulator-error.ts";

/** A request to a server that failed. */
export interface FailedRequest {
  /** What the request was for: `read the journal`. */
  readonly what: string;
  readonly url: string;
  /** What to do about it. */
  readonly advice: string;
}

/** The error for a server that cannot be reached or does not answer in time. `cause` is the error of `fetch`. */
export function serverUnreachable(
  { what, url, advice }: FailedRequest,
  cause: unknown,
): EmulatorError {
  return noServer(`Cannot ${what}: nothing answers at ${url}${reasonOf(cause)}. ${advice}`, cause);
}

/** The error for a server that is not Backlot. `status` is the status of its answer. */
export function noBacklotAnswers(
  { what, url, advice }: FailedRequest,
  status: number,
): EmulatorError {
  return noServer(`Cannot ${what}: the server at ${url} (${status}) is not Backlot. ${advice}`);
}

function noServer(message: string, cause?: unknown): EmulatorError {
  return new EmulatorError("ERR_SERVER_UNREACHABLE", message, { cause });
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return " in time";
  const code = fetchFailureCode(error);
  return code === undefined ? "" : ` (${code})`;
}

/** The message of `fetch` for ports that it blocks. */
const badPort = "bad port";

/**
 * The code that says why `fetch` failed, such as `ECONNREFUSED`. The code is in the error's cause or, if several
 * addresses were tried, in one of the cause's errors.
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
