import type { IncomingMessage } from "node:http";

/** How much of an unwanted body is taken off the wire before the connection is cut: 64 MB, or 10 seconds of it. */
const mostBytes = 64_000_000;
const mostMs = 10_000;

/**
 * Lets a client finish sending a body that nobody reads. Closing the connection while it still sends would
 * make its system drop the answer that is already there. Resolves when no more comes; undefined when nothing is left.
 */
export function discardBody(request: IncomingMessage): Promise<void> | undefined {
  if (request.complete || request.destroyed || !announcesBody(request)) return undefined;
  let size = 0;
  const timer = setTimeout(() => request.destroy(), mostMs);
  timer.unref();
  request.on("data", (part: Buffer) => {
    size += part.length;
    if (size > mostBytes) request.destroy();
  });
  request.on("error", () => undefined);
  request.resume();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.once("close", finish).once("end", finish);
  });
}

/** Whether a request has a body. In the tick in which it comes, one without is not yet known to be complete. */
function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
}
