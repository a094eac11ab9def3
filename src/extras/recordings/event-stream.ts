import type { RecordedPart } from "../../core/recordings/cassette.ts";
import { bodyBytes } from "../../core/recordings/recorded-body.ts";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { joinBytes } from "../../core/http/bytes.ts";

/** Bytes of a body, and when they came: milliseconds after the request was sent. */
export interface ReceivedPart {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

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

/** Gives a character for each byte. */
const latin1 = new TextDecoder("latin1");

/** Comments, then the field of an event: `data:` of an address has a type behind it. */
const firstField = /^(?:\xEF\xBB\xBF)?(?:(?::.*)?(?:\r\n|\n|\r))*(?:data:(?![a-z]+\/)|event:)/;

/** Whether an answer is an event stream: by its type, or by its bytes, since some services name another type or none. */
export function isEventStream(type: string | undefined, bytes: Uint8Array): boolean {
  if (/^\s*text\/event-stream\b/i.test(type ?? "")) return true;
  return firstField.test(latin1.decode(bytes.subarray(0, 2_000)));
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

function namedEvent({ event, data }: EventSourceMessage): ServerSentEvent {
  return { event: event === "message" ? undefined : event, data };
}

/** The parser takes a CR at the end for half of a line break, and waits for the other half. */
function restOfLine(text: string): string {
  return text.endsWith("\r") ? "\n" : "";
}

/** The empty line that ends an event. A line ends by either character, or by both. */
const emptyLine = /(?:\r\n|\n|\r(?!\n)){2}/g;

/**
 * Cuts an event stream behind the empty line that ends each event. An event came when its end did; what follows the last
 * one is a part of its own. This is no parser of events: a cassette keeps the very bytes that came, comments included, and
 * all parts together are these bytes.
 */
export function splitEvents(parts: readonly ReceivedPart[]): readonly ReceivedPart[] {
  const bytes = joinBytes(parts.map((part) => part.bytes));
  const ends = [...latin1.decode(bytes).matchAll(emptyLine)].map(
    ({ index, 0: { length } }) => index + length,
  );
  if (bytes.length > (ends.at(-1) ?? 0)) ends.push(bytes.length);
  const events: ReceivedPart[] = [];
  let start = 0;
  let seen = 0;
  for (const { atMs, bytes: part } of parts) {
    seen += part.length;
    for (let end = ends[events.length]; end !== undefined && end <= seen;) {
      events.push({ atMs, bytes: bytes.subarray(start, end) });
      start = end;
      end = ends[events.length];
    }
  }
  return events;
}
