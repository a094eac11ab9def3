import { bytesOf, type EventStream, type Frame, type SentFrames } from "../../http/event-stream.ts";
import type { Reply } from "../../http/reply.ts";
import type { Sink } from "../../http/scheduler.ts";

/** The most bytes that are kept of a body, or of the frames of a stream. */
const mostOfBody = 65_536;

/** The kept part of a reply. */
export interface KeptReply {
  /** The reply, of a long body only the beginning; undefined before there is a reply. */
  reply: Reply | undefined;
  isCut: boolean;
  /** The last characters of a long body, of which otherwise only the beginning is kept. */
  tail: string;
  /** What was sent of a stream. */
  sent: SentFrames | undefined;
  /** The approximate memory in bytes. */
  size: number;
}

type Data = string | Uint8Array;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const room = new Uint8Array(mostOfBody);

/** The end of a chat's answer contains usage and finish reason within this many characters. */
const tailSize = 1_000;

/** The approximate memory of a frame in bytes. */
const frameSize = 150;

/** Keeps a reply. Returns the reply to send, which records what is sent of it. */
export function keepReply(kept: KeptReply, reply: Reply, now: () => number): Reply {
  const { body } = reply;
  kept.reply = reply;
  if (body.kind === "text" || body.kind === "bytes") {
    const whole = body.kind === "text" ? body.text : body.bytes;
    kept.isCut = whole.length > mostOfBody;
    kept.size += Math.min(whole.length, mostOfBody);
    if (kept.isCut) {
      kept.reply = { ...reply, body: bodyOf(beginningOf(whole).data) };
      // A copy, like the beginning, so that the whole body can be freed.
      const last = whole.slice(-tailSize);
      kept.tail = decoder.decode(typeof last === "string" ? encoder.encode(last) : last);
    } else if (body.kind === "text" && body.source !== undefined) {
      kept.reply = { ...reply, body: body.source };
    }
  } else if (body.kind === "stream") {
    body.stream.sent = kept.sent = { ms: [], length: 0 };
    kept.size += Math.min(body.stream.frames.length * frameSize, mostOfBody);
  } else if (body.kind === "live") {
    const { play } = body;
    kept.size += mostOfBody;
    return { ...reply, body: { ...body, play: (sink) => play(noting(kept, reply, sink, now)) } };
  }
  return reply;
}

function bodyOf(data: Data): Reply["body"] {
  return typeof data === "string" ? { kind: "text", text: data } : { kind: "bytes", bytes: data };
}

/** A sink that records the beginning of what is written to it, as a stream. */
function noting(kept: KeptReply, reply: Reply, sink: Sink, now: () => number): Sink {
  const start = now();
  const frames: Frame[] = [];
  const end: { how: EventStream["end"]["how"]; at: number } = { how: "close", at: 0 };
  const sent = { ms: [] as number[], length: 0 };
  kept.reply = { ...reply, body: { kind: "stream", stream: { frames, end } } };
  kept.sent = sent;
  return {
    write: (part) => {
      const { data, size, isCut } = beginningOf(part, mostOfBody - sent.length);
      kept.isCut ||= isCut;
      sent.length = isCut ? mostOfBody : sent.length + size;
      if (size > 0) {
        sent.ms.push(now() - start);
        // A copy, since the writer may reuse its buffer.
        frames.push({ at: now() - start, data: typeof data === "string" ? data : data.slice() });
      }
      return sink.write(part);
    },
    finish: (how) => {
      if (how === "reset") end.how = how;
      sink.finish(how);
    },
  };
}

/** The beginning of a text or of bytes. A cut-off beginning is a copy, so that the whole can be freed. */
export function beginningOf(
  data: Data,
  most: number = mostOfBody,
): { readonly data: Data; readonly size: number; readonly isCut: boolean } {
  if (typeof data !== "string") {
    const isCut = data.length > most;
    return { data: isCut ? data.slice(0, most) : data, size: Math.min(data.length, most), isCut };
  }
  const { read, written } = encoder.encodeInto(data, room.subarray(0, most));
  const isCut = read < data.length;
  return { data: isCut ? decoder.decode(room.subarray(0, written)) : data, size: written, isCut };
}

/** The first frames of a stream, whole. */
export function firstFrames(stream: EventStream): {
  readonly frames: readonly Frame[];
  readonly isCut: boolean;
} {
  const frames: Frame[] = [];
  let left = mostOfBody;
  for (const frame of stream.frames) {
    if (left <= 0) return { frames, isCut: true };
    const { data, size, isCut } = beginningOf(bytesOf(frame, stream), left);
    left = isCut ? -1 : left - size;
    // The room that is left may be too small for a whole character.
    if (size > 3 || !isCut) frames.push({ at: frame.at, data });
  }
  return { frames, isCut: left < 0 };
}

/** The most frames that are kept, however small they are. */
const mostFrames = 1_000;
/** This many last frames contain usage, finish reasons and `[DONE]`, unless there are many choices. */
export const lastFrames = 8;

/** Cuts a stream that is long, or was not sent to its end, to the first and the last frames that were sent. */
export function cutStream(kept: KeptReply): void {
  const { reply, sent } = kept;
  if (sent === undefined || reply?.body.kind !== "stream") return;
  const { stream } = reply.body;
  const { ms, length } = sent;
  const isShort = length <= mostOfBody && stream.frames.length <= mostFrames;
  if (stream.sent !== sent || (isShort && ms.length >= stream.frames.length)) return;
  const { frames, isCut } = firstFrames(stream);
  const from = Math.max(frames.length, ms.length - lastFrames);
  const last = stream.frames.slice(from, ms.length);
  const whole = last.map((frame) => ({ at: frame.at, data: bytesOf(frame, stream) }));
  kept.isCut = isCut;
  kept.sent = { ms: [...ms.slice(0, frames.length), ...ms.slice(from)], length };
  const cut = { frames: [...frames, ...whole], end: stream.end };
  kept.reply = { ...reply, body: { kind: "stream", stream: cut } };
}
