import { utf8Text } from "../../../core/http/bytes.ts";
import { toBase64 } from "../../../core/replay/base64.ts";
import type { RecordedAnswer, RecordedPart } from "../../../core/replay/cassette.ts";
import { recordBody } from "../../../core/replay/recorded-body.ts";
import { isEventStream, splitEvents } from "../event-stream.ts";
import type { ReceivedAnswer, ReceivedPart } from "./received-answer.ts";
import { joinBytes } from "../../../core/http/bytes.ts";

/** How long after its head a body may be complete, in milliseconds, to have come at once with it. */
const atOnceMs = 20;

/** What was seen of an answer, as a cassette has it: a stream event by event, a body that came as a whole in one piece. */
export function recordAnswer(seen: ReceivedAnswer): RecordedAnswer {
  const { status, afterMs, body } = seen;
  const headers = keptHeaders(seen);
  const head = { status, headers, afterMs: Math.round(afterMs) };
  if (body === undefined) return head;
  const bytes = joinBytes(body.parts.map((part) => part.bytes));
  const hasEvents = isEventStream(headers["content-type"], bytes);
  if (hasEvents || !isWhole(seen, body)) return { ...head, ...recordStream(body, hasEvents) };
  if (bytes.length === 0) return head;
  // Nobody reads half of it, so it came when its last byte did.
  const whenWhole = body.end.atMs - afterMs > atOnceMs ? body.end.atMs : afterMs;
  return { ...head, afterMs: Math.round(whenWhole), body: recordBody(bytes) };
}

type SeenBody = NonNullable<ReceivedAnswer["body"]>;

/** JSON is nothing before its end; all else is whole when it came so, or when its length was known in advance. */
function isWhole(seen: ReceivedAnswer, { parts, end }: SeenBody): boolean {
  if (end.how !== "close") return false;
  if (seen.headers["content-length"] !== undefined) return true;
  if (/^\s*[\w.-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(seen.headers["content-type"] ?? ""))
    return true;
  return (parts.at(-1)?.atMs ?? 0) - seen.afterMs <= atOnceMs;
}

/** What comes anew with each answer, or follows from the body as it is replayed. */
const ofTheMoment: readonly string[] = ["date", "age", "content-length"];

function keptHeaders(seen: ReceivedAnswer): RecordedAnswer["headers"] {
  const { headers, body } = seen;
  // It says of an answer to HEAD how long the body would be, and of one that was cut that something is missing.
  const lengthSays = body === undefined ? seen.status !== 0 : body.end.how === "reset";
  const entries = Object.entries(headers).filter(
    ([name]) => !ofTheMoment.includes(name) || (lengthSays && name === "content-length"),
  );
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function recordStream(
  { parts, end }: SeenBody,
  inEvents: boolean,
): Pick<RecordedAnswer, "stream" | "end"> {
  const cut = inEvents ? splitEvents(parts) : joinSimultaneous(parts);
  return {
    stream: recordParts(cut),
    end: { atMs: Math.round(end.atMs), how: end.how },
  };
}

/** What came in one millisecond as one part. */
function joinSimultaneous(parts: readonly ReceivedPart[]): readonly ReceivedPart[] {
  const joined: { readonly atMs: number; readonly pieces: Uint8Array[] }[] = [];
  for (const { atMs, bytes } of parts) {
    const last = joined.at(-1);
    if (last !== undefined && Math.round(last.atMs) === Math.round(atMs)) last.pieces.push(bytes);
    else joined.push({ atMs, pieces: [bytes] });
  }
  return joined.map(({ atMs, pieces }) => ({ atMs, bytes: joinBytes(pieces) }));
}

function recordParts(parts: readonly ReceivedPart[]): readonly RecordedPart[] {
  const bytes = joinBytes(parts.map((part) => part.bytes));
  const whole = utf8Text(bytes);
  // Of ASCII each byte is a character, so that all of it can be decoded at once.
  if (whole === undefined || whole.length !== bytes.length) return parts.map(recordPart);
  let start = 0;
  return parts.map((part) => {
    const text = whole.slice(start, start + part.bytes.length);
    start += part.bytes.length;
    return { atMs: Math.round(part.atMs), text };
  });
}

function recordPart({ atMs: exactly, bytes }: ReceivedPart): RecordedPart {
  const atMs = Math.round(exactly);
  const text = utf8Text(bytes);
  return text === undefined ? { atMs, base64: toBase64(bytes) } : { atMs, text };
}
