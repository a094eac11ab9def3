import type { Frame } from "../../../core/http/event-stream.ts";
import {
  connectionHeaders,
  noAnswer,
  type Reply,
  type ReplyBody,
  type ReplyHeaders,
} from "../../../core/http/reply.ts";
import { fromBase64 } from "../../../core/http/base64.ts";
import type { RecordedAnswer, RecordedPart } from "../../../core/recordings/cassette.ts";
import { bodyBytes } from "../../../core/recordings/recorded-body.ts";

/** How fast a recording is replayed. */
export interface ReplayPace {
  /** The recorded times are divided by this number. With 0, nothing waits. */
  readonly speed: number;
  /** Whether the request is HEAD, which gets the length of a body but no body. */
  readonly isHead: boolean;
  /** Milliseconds since the request arrived, which are a part of the delay. Default: 0. */
  readonly elapsedMs?: number;
}

/** Replays a recorded answer exactly: its bytes, parts, times and end. */
export function recordedReply(answer: RecordedAnswer, pace: ReplayPace): Reply {
  const { speed, isHead, elapsedMs = 0 } = pace;
  const { status, headers, afterMs, end } = answer;
  const scaled = (ms: number): number => (speed === 0 ? 0 : ms / speed);
  const delayMs = scaled(afterMs);
  // If the head is already late, the body does not wait a second time.
  const startsAt = Math.max(scaled(afterMs), elapsedMs);
  if (status === 0) return { ...noAnswer(end?.how === "hang" ? "hang" : "reset"), delayMs };
  // Without its length, a client could not see that a part of the body is missing.
  const keepsLength = isHead || end?.how === "reset" || end?.how === "hang";
  const body = bodyOf(answer, (atMs) => Math.max(0, scaled(atMs) - startsAt));
  return { status, headers: ownHeaders(headers, keepsLength), body, delayMs };
}

function ownHeaders(headers: ReplyHeaders, keepsLength: boolean): ReplyHeaders {
  // The front sets the other headers itself: those of the connection and of CORS.
  const isOwn = (name: string): boolean =>
    (keepsLength || name !== "content-length") &&
    !connectionHeaders.has(name) &&
    !name.startsWith("access-control-");
  const own = Object.entries(headers).filter(([name]) => isOwn(name));
  return Object.fromEntries(own);
}

/** Statuses without a body, whatever was recorded. */
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
