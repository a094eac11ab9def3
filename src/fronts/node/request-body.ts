import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallBody } from "../../core/http/call.ts";
import { type BytesUnderWay, tooMuchUnderWay } from "./bytes-under-way.ts";
import { nodeTimers } from "./timers.ts";

/**
 * Reads a request body of at most `limit` bytes for `call`. Resolves at once when more arrives or is announced. Rejects
 * with `ERR_BUSY` when the bodies under way of its server exceed their limit. A whole body counts until its response is
 * closed.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  call: {
    received: Uint8Array | undefined;
    readonly bodiesLimit: number;
    readonly underWay: BytesUnderWay;
    readonly response: ServerResponse;
  },
): Promise<CallBody> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limit) {
    return Promise.resolve({ kind: "too-large", limit });
  }
  // A destroyed request emits no further events.
  if (request.destroyed) return Promise.resolve({ kind: "aborted" });
  const { underWay, bodiesLimit, response } = call;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    let isOver = false;
    // Only the first event counts. The listeners are not removed, since removing three takes longer than ignoring their
    // calls.
    const end = (tell: () => void): void => {
      if (!isOver) underWay.bytes -= size;
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
      underWay.bytes += part.length;
      parts.push(part);
      if (size > limit) stop(() => resolve({ kind: "too-large", limit }));
      else if (underWay.bytes > bodiesLimit) stop(() => reject(tooMuchUnderWay(bodiesLimit)));
      // This is the end of the body, which its event reports a tick later.
      else if (size === announced) finish();
    };
    const finish = (): void => {
      if (isOver) return;
      const [only] = parts;
      const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, size);
      call.received = bytes;
      end(() => underWay.hold(size, response));
      resolve({ kind: "bytes", bytes });
    };
    const abort = (): void => end(() => resolve({ kind: "aborted" }));
    // Not "close", which is emitted for every request.
    request.on("data", take).on("end", finish).on("error", abort);
  });
}

/** How much of an unwanted body is received before the connection is cut: 64 MB, or 10 seconds. */
const mostBytes = 64_000_000;
const mostMs = 10_000;

/**
 * Lets a client finish sending an unwanted body. If the connection were closed earlier, the client's system would drop
 * the answer. Resolves when no more data comes; undefined when nothing is left to read.
 */
export function discardBody(request: IncomingMessage): Promise<void> | undefined {
  if (request.complete || request.destroyed || !announcesBody(request)) return undefined;
  let size = 0;
  const timer = nodeTimers.set(() => request.destroy(), mostMs);
  timer.unref();
  request.on("data", (part: Buffer) => {
    size += part.length;
    if (size > mostBytes) request.destroy();
  });
  request.on("error", () => undefined);
  request.resume();
  return new Promise((resolve) => {
    const finish = (): void => {
      nodeTimers.clear(timer);
      resolve();
    };
    request.once("close", finish).once("end", finish);
  });
}

/**
 * Whether a request has a body. Its headers decide, since even a request without a body is not complete yet when it
 * arrives.
 */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
}
