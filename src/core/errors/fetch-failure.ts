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
