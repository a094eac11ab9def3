import type { RecordedPart } from "../../core/replay/cassette.ts";
import { bodyBytes } from "../../core/replay/recorded-body.ts";
import { type SeenPart, joinBytes } from "./record/seen-answer.ts";
import { createParser } from "eventsource-parser";

/** An event of an event stream, as a client gets it. Comments, which clients do not see, are none. */
export interface ServerSentEvent {
  /** Its name, unless that is "message". */
  readonly event: string | undefined;
  readonly data: string;
}

/** An event with the time at which its end was there. */
export interface RecordedEvent extends ServerSentEvent {
  readonly atMs: number;
}

/** The events of a `text/event-stream` in order. One that no empty line ends is not among them. */
export function readEvents(text: string): readonly ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  const parser = createParser({ onEvent: (event) => events.push(namedEvent(event)) });
  parser.feed(text);
  parser.feed(restOfLine(text));
  return events;
}

/** The events in the parts of a recorded stream. */
export function recordedEvents(parts: readonly RecordedPart[]): readonly RecordedEvent[] {
  const decoder = new TextDecoder();
  const events: RecordedEvent[] = [];
  let atMs = 0;
  let last = "";
  let isOver = false;
  const parser = createParser({
    onEvent(event) {
      // A stream that breaks off within an event says nothing by it, but for its end.
      if (isOver && !event.data.startsWith("[DONE]")) return;
      events.push({ ...namedEvent(event), atMs });
    },
  });
  for (const part of parts) {
    ({ atMs } = part);
    last = decoder.decode(bodyBytes(part), { stream: true });
    parser.feed(last);
  }
  parser.feed(restOfLine(last));
  isOver = true;
  parser.feed("\n\n");
  return events;
}

function namedEvent({
  event,
  data,
}: {
  event?: string | undefined;
  data: string;
}): ServerSentEvent {
  return { event: event === "message" ? undefined : event, data };
}

/** The parser takes a CR at the end for half of a line break, and waits for the other half. */
function restOfLine(text: string): string {
  return text.endsWith("\r") ? "\n" : "";
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Cuts an event stream behind the empty line that ends each event. An event came when its end did; what follows the last
 * one is a part of its own. This is no parser of events: a cassette keeps the very bytes that came, comments included, and
 * all parts together are these bytes.
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
