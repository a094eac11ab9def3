import type { ServerResponse } from "node:http";
import type { Exchange } from "../../core/emulator/exchange.ts";

/** Bodies that are longer, in characters or bytes, go out in parts. */
export const mostAtOnce: number = 2 ** 20;

const partLength = 2 ** 18;

const underWay: WeakSet<ServerResponse> = new WeakSet();

/** Whether a response is one that goes out in parts, and so comes to its end by itself. */
export function isInParts(response: ServerResponse): boolean {
  return underWay.has(response);
}

/**
 * Sends a large body no faster than its client reads: node:http would keep a second copy of what waits. The head is out
 * already.
 */
export function sendInParts(
  exchange: Exchange,
  response: ServerResponse,
  body: string | Uint8Array,
): void {
  underWay.add(response);
  const parts = partsOf(body);
  let bytes = 0;
  let isOver = false;
  const settle = (aborted: boolean): void => {
    if (isOver) return;
    isOver = true;
    exchange.settle({ chunksSent: 0, bytes, aborted });
  };
  const write = (): void => {
    let goesOn = true;
    while (goesOn) {
      const { value: part } = parts.next();
      if (part === undefined) {
        response.end();
        settle(false);
        return;
      }
      bytes += part.length;
      goesOn = typeof part === "string" ? response.write(part, "latin1") : response.write(part);
    }
  };
  response.on("drain", write).once("close", () => settle(true));
  write();
}

/** Texts of ASCII stay texts, of which parts are no copies. */
function* partsOf(body: string | Uint8Array): Generator<string | Uint8Array, undefined> {
  const isPlain = typeof body !== "string" || body.length === Buffer.byteLength(body);
  const whole = isPlain ? body : Buffer.from(body, "utf8");
  for (let from = 0; from < whole.length; from += partLength) {
    const end = from + partLength;
    yield typeof whole === "string" ? whole.slice(from, end) : whole.subarray(from, end);
  }
  return undefined;
}
