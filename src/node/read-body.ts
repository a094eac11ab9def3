import type { IncomingMessage } from "node:http";
import type { CallBody } from "../http/call.ts";

/** Reads a request body of at most `limit` bytes; says so at once when more comes or is announced. */
export function readBody(request: IncomingMessage, limit: number): Promise<CallBody> {
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    return Promise.resolve({ kind: "too-large", limit });
  }
  // No event would come any more.
  if (request.destroyed) return Promise.resolve({ kind: "aborted" });
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const settle = (body: CallBody): void => {
      request.off("data", take).off("end", finish).off("close", abort).off("error", abort);
      resolve(body);
    };
    const take = (part: Buffer): void => {
      size += part.length;
      if (size > limit) {
        request.pause();
        settle({ kind: "too-large", limit });
      } else {
        parts.push(part);
      }
    };
    const finish = (): void => {
      const [only] = parts;
      settle({
        kind: "bytes",
        bytes: parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, size),
      });
    };
    const abort = (): void => settle({ kind: "aborted" });
    request.on("data", take).on("end", finish).on("close", abort).on("error", abort);
  });
}
