import { joinBytes } from "./join-bytes.ts";
import type { SeenPart } from "./seen-answer.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Cuts an event stream behind the empty line that ends each event, however it came. An event came when its end did.
 * What follows the last one is a part of its own. All parts together are the bytes that came.
 */
export function splitEvents(parts: readonly SeenPart[]): readonly SeenPart[] {
  const events: SeenPart[] = [];
  let pieces: Uint8Array[] = [];
  let lineIsEmpty = false;
  let atMs = 0;
  const cut = (): void => {
    if (pieces.length > 0) events.push({ atMs, bytes: joinBytes(pieces) });
    pieces = [];
    lineIsEmpty = false;
  };
  for (const part of parts) {
    atMs = part.atMs;
    let from = 0;
    for (let index = 0; index < part.bytes.length; index++) {
      const byte = part.bytes[index];
      // The two are one end of a line. Where they came apart, the second one begins the next event.
      const isPair = byte === carriageReturn && part.bytes[index + 1] === lineFeed;
      if (isPair) index += 1;
      const endsLine = isPair || byte === carriageReturn || byte === lineFeed;
      if (endsLine && lineIsEmpty) {
        pieces.push(part.bytes.subarray(from, index + 1));
        from = index + 1;
        cut();
        continue;
      }
      lineIsEmpty = endsLine;
    }
    if (from < part.bytes.length) pieces.push(part.bytes.subarray(from));
  }
  cut();
  return events;
}
