import type { IncomingMessage } from "node:http";

/** How much of an unwanted body is taken off the wire before the connection is cut: 64 MB, or 10 seconds of it. */
const mostBytes = 64_000_000;
const mostMs = 10_000;

/**
 * Lets a client finish sending a body that nobody reads. Closing the connection while it still sends would
 * make its system drop the answer that is already there.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let size = 0;
  const timer = setTimeout(() => request.destroy(), mostMs);
  timer.unref();
  request.on("data", (part: Buffer) => {
    size += part.length;
    if (size > mostBytes) request.destroy();
  });
  request.on("error", () => undefined);
  request.once("close", () => clearTimeout(timer));
  request.once("end", () => clearTimeout(timer));
  request.resume();
}
