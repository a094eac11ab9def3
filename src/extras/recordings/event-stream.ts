import type { RecordedPart } from "../../core/recordings/cassette.ts";
import { bodyBytes } from "../../core/recordings/recorded-body.ts";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { joinBytes } from "../../core/http/bytes.ts";

/** Bytes of a body, and when they arrived: milliseconds after the request was sent. */
export interface ReceivedPart {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** An event of an event stream as a client sees it. Comments are not events, since clients do not see them. */
export interface ServerSentEvent {
  /** The event's name; undefined for the default, "message". */
  readonly event: string | undefined;
  readonly data: string;
}

/** An event, and when its end arrived. */
export interface RecordedEvent extends ServerSentEvent {
  readonly atMs: number;
}

/** Maps each byte to one character. */
const latin1 = new TextDecoder("latin1");

/**
 * The beginning of an event stream: comments, then the field of an event. A `data:` address has a media type after the
 * colon instead.
 */
const firstField = /^(?:\xEF\xBB\xBF)?(?:(?::.*)?(?:\r\n|\n|\r))*(?:data:(?![a-z]+\/)|event:)/;

/**
 * Whether an answer is an event stream, judged by its type or by its bytes, since some services send another type or
 * none.
 */
export function isEventStream(type: string | undefined, bytes: Uint8Array): boolean {
  if (/^\s*text\/event-stream\b/i.test(type ?? "")) return true;
  return firstField.test(latin1.decode(bytes.subarray(0, 2_000)));
}

/** The events of a `text/event-stream` in order, without an event that no empty line ends. */
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
      // An event that was cut off has no meaning, unless it is the end mark.
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

/** The rest of a line break after a CR at the end, for which the parser would wait. */
function restOfLine(text: string): string {
  return text.endsWith("\r") ? "\n" : "";
}

/** The empty line that ends an event. A line ends with CR, LF, or both. */
const emptyLine = /(?:\r\n|\n|\r(?!\n)){2}/g;

/**
 * Splits an event stream after the empty line that ends each event. An event gets the time at which its end arrived;
 * bytes after the last event form a part of their own. Nothing is parsed: a cassette keeps the exact bytes, comments
 * included, so that all parts together are the body.
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
