import type { ServerResponse } from "node:http";
import { EmulatorError } from "../../core/errors/emulator-error.ts";

/** Whole bodies of up to this many bytes are not counted: the number of connections limits them. */
const small = 10_000;

/**
 * Counts the bytes that one server holds for its clients: request bodies until they are answered, and answers until
 * they are written. Each server in a process has a limit of its own.
 */
export class BytesUnderWay {
  bytes = 0;

  /** Counts bytes until a response is closed. */
  hold(size: number, response: ServerResponse): void {
    if (size <= small || response.closed) return;
    this.bytes += size;
    response.once("close", () => {
      this.bytes -= size;
    });
  }

  /** Throws `ERR_BUSY` where there is no room for an answer beside what others wait for. */
  admit(size: number, limit: number): void {
    if (size > small && this.bytes > 0 && this.bytes + size > limit) throw tooMuchUnderWay(limit);
  }
}

export function tooMuchUnderWay(limit: number): EmulatorError {
  return new EmulatorError(
    "ERR_BUSY",
    `Cannot answer now: bodies of ${limit} bytes are under way, in requests and in answers that their clients have not read. ` +
      "Read those, try again later, or raise bodiesLimit.",
  );
}
