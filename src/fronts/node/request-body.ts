import type { IncomingMessage } from "node:http";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import type { CallBody } from "../../core/http/call.ts";

/**
 * Reads a request body of at most `limit` bytes for `call`. Resolves at once when more arrives or is announced. Rejects
 * with `ERR_BUSY` when the unfinished bodies of its server exceed their limit.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  call: {
    received: Uint8Array | undefined;
    readonly bodiesLimit: number;
    readonly bodies: BodiesUnderWay;
  },
): Promise<CallBody> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limit) {
    return Promise.resolve({ kind: "too-large", limit });
  }
  // No event would follow any more.
  if (request.destroyed) return Promise.resolve({ kind: "aborted" });
  const { bodies, bodiesLimit } = call;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    let isOver = false;
    // The first event wins. The other listeners stay: removing three takes longer than letting them fire in vain.
    const end = (tell: () => void): void => {
      if (!isOver) bodies.bytes -= size;
      isOver = true;
      tell();
    };
    const stop = (tell: () => void): void => {
      request.off("data", take).pause();
      parts.length = 0;
      end(tell);
    };
    const take = (part: Buffer): void => {
      size += part.length;
      bodies.bytes += part.length;
      parts.push(part);
      if (size > limit) stop(() => resolve({ kind: "too-large", limit }));
      else if (bodies.bytes > bodiesLimit) stop(() => reject(tooManyBodies(bodiesLimit)));
      // Its end is reported a tick later.
      else if (size === announced) finish();
    };
    const finish = (): void => {
      if (isOver) return;
      const [only] = parts;
      const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, size);
      call.received = bytes;
      end(() => resolve({ kind: "bytes", bytes }));
    };
    const abort = (): void => end(() => resolve({ kind: "aborted" }));
    // Not "close", which follows every request.
    request.on("data", take).on("end", finish).on("error", abort);
  });
}

/** The incomplete bodies of a server: two in one process have limits of their own. */
export class BodiesUnderWay {
  bytes = 0;
}

function tooManyBodies(limit: number): EmulatorError {
  return new EmulatorError(
    "ERR_BUSY",
    `Cannot read the body: more than ${limit} bytes of request bodies are being read. Try again later, or raise bodiesLimit.`,
  );
}

/** How much of an unwanted body is received before the connection is cut: 64 MB, or 10 seconds. */
const mostBytes = 64_000_000;
const mostMs = 10_000;

/**
 * Lets a client finish sending an unwanted body. Closing the connection earlier would make the client's system drop
 * the answer. Resolves when no more data comes; undefined when nothing is left.
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

/** Whether a request has a body. When it arrives, a request without one is not yet known to be complete. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
}
