import { joinBytes } from "./join-bytes.ts";
import type { SeenPart } from "./seen-answer.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Cuts an event stream behind the empty line that ends each event, however it came. An event came when its end did.
 * What follows the last one is a part of its own. All parts together are the bytes that came.
 */
export function splitEvents(parts: readonly SeenPart[]): readonly SeenPart[] {
  const cutter = new EventCutter();
  for (const part of parts) {
    // To look for one byte is some times as quick as to look at each. Hardly any service sends the other one.
    if (part.bytes.includes(carriageReturn)) cutter.addAnyLines(part);
    else cutter.addLines(part);
  }
  return cutter.end();
}

class EventCutter {
  readonly #events: SeenPart[] = [];
  #pieces: Uint8Array[] = [];
  /** Whether a line has begun, and nothing is in it yet. */
  #lineIsEmpty = false;
  #atMs = 0;

  /** Adds what has no carriage return. */
  addLines({ atMs, bytes }: SeenPart): void {
    this.#atMs = atMs;
    let from = 0;
    let lineStart = this.#lineIsEmpty ? 0 : -1;
    for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
      const endsEvent = at === lineStart;
      lineStart = endsEvent ? -1 : at + 1;
      if (!endsEvent) continue;
      this.#cut(bytes.subarray(from, at + 1));
      from = at + 1;
    }
    if (from < bytes.length) this.#pieces.push(bytes.subarray(from));
    this.#lineIsEmpty = lineStart === bytes.length;
  }

  addAnyLines({ atMs, bytes }: SeenPart): void {
    this.#atMs = atMs;
    let from = 0;
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index];
      // The two are one end of a line. Where they came apart, the second one begins the next event.
      const isPair = byte === carriageReturn && bytes[index + 1] === lineFeed;
      if (isPair) index += 1;
      const endsLine = isPair || byte === carriageReturn || byte === lineFeed;
      if (endsLine && this.#lineIsEmpty) {
        this.#cut(bytes.subarray(from, index + 1));
        this.#lineIsEmpty = false;
        from = index + 1;
        continue;
      }
      this.#lineIsEmpty = endsLine;
    }
    if (from < bytes.length) this.#pieces.push(bytes.subarray(from));
  }

  end(): readonly SeenPart[] {
    if (this.#pieces.length > 0) this.#cut();
    return this.#events;
  }

  #cut(last?: Uint8Array): void {
    if (last !== undefined) this.#pieces.push(last);
    this.#events.push({ atMs: this.#atMs, bytes: joinBytes(this.#pieces) });
    this.#pieces = [];
  }
}
