import type { Frame } from "../http/event-stream.ts";
import { noAnswer, type Reply, type ReplyBody, type ReplyHeaders } from "../http/reply.ts";
import { fromBase64 } from "./base64.ts";
import type { RecordedAnswer, RecordedPart } from "./cassette.ts";
import { bodyBytes } from "./recorded-body.ts";

/** How fast a recording is replayed. */
export interface ReplayPace {
  /** Recorded times are divided by it; 0: nothing waits. */
  readonly speed: number;
  /** Whether the request asked for the head alone, which tells the length of a body that is not sent. */
  readonly isHead: boolean;
  /** Milliseconds since the request came. They are part of the time until the answer comes. Default: 0. */
  readonly elapsedMs?: number;
}

/** A recorded answer as it came: bytes, parts, times and end. */
export function recordedReply(answer: RecordedAnswer, pace: ReplayPace): Reply {
  const { speed, isHead, elapsedMs = 0 } = pace;
  const { status, headers, afterMs, end } = answer;
  const scaled = (ms: number): number => (speed === 0 ? 0 : ms / speed);
  const delayMs = Math.max(0, scaled(afterMs) - elapsedMs);
  // Where the head is late already, what follows is not.
  const startsAt = Math.max(scaled(afterMs), elapsedMs);
  if (status === 0) return { ...noAnswer(end?.how === "hang" ? "hang" : "reset"), delayMs };
  // Who misses a part of the body knows it by the length.
  const keepsLength = isHead || end?.how === "reset" || end?.how === "hang";
  const body = bodyOf(answer, (atMs) => Math.max(0, scaled(atMs) - startsAt));
  return { status, headers: ownHeaders(headers, keepsLength), body, delayMs };
}

/** They are about how the body was sent, and whom the service let read it. Whoever sends it now says so anew. */
const notOwn = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function ownHeaders(headers: ReplyHeaders, keepsLength: boolean): ReplyHeaders {
  const isOwn = (name: string): boolean =>
    (keepsLength && name === "content-length") ||
    !(notOwn.has(name) || name.startsWith("access-control-"));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isOwn(name)));
}

/** Answers that have no body, whatever was recorded. */
const bodiless = new Set([204, 205, 304]);

function bodyOf(answer: RecordedAnswer, timeOf: (atMs: number) => number): ReplyBody {
  const { status, body, stream, end } = answer;
  if (bodiless.has(status)) return { kind: "none" };
  if (body !== undefined) return { kind: "bytes", bytes: bodyBytes(body) };
  if (stream === undefined && end === undefined) return { kind: "none" };
  const frames = (stream ?? []).map((part): Frame => ({
    at: timeOf(part.atMs),
    data: dataOf(part),
  }));
  const last = frames.at(-1)?.at ?? 0;
  const at = end === undefined ? last : Math.max(last, timeOf(end.atMs));
  return { kind: "stream", stream: { frames, end: { how: end?.how ?? "close", at } } };
}

function dataOf(part: RecordedPart): string | Uint8Array {
  return "text" in part ? part.text : (fromBase64(part.base64) ?? new Uint8Array());
}
