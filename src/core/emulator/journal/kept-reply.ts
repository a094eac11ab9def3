import { bytesOf, type EventStream, type Frame, type SentFrames } from "../../http/event-stream.ts";
import type { Reply, ReplyBody } from "../../http/reply.ts";
import type { Playback, Sink } from "../../http/scheduler.ts";

/** What is kept of a reply. */
export interface KeptReply {
  /** With the beginning of a long body. Undefined before there is one. */
  reply: Reply | undefined;
  isCut: boolean;
  /** Of a stream. */
  sent: SentFrames | undefined;
  /** The last frames that were sent, if the stream itself is cut. */
  lastFrames: readonly Frame[] | undefined;
}

/** So many bytes of a body, or of the frames of a stream, are kept. */
export const mostOfBody = 65_536;

type Data = string | Uint8Array;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const room = new Uint8Array(mostOfBody);

/** A text or bytes, up to so many bytes. What is cut is a copy, so that the whole can be freed, and splits no character. */
export function beginningOf<Kind extends Data>(
  data: Kind,
  most?: number,
): { readonly data: Kind; readonly size: number; readonly isCut: boolean };
export function beginningOf(
  data: Data,
  most: number = mostOfBody,
): { readonly data: Data; readonly size: number; readonly isCut: boolean } {
  if (typeof data === "string") {
    const { read, written } = encoder.encodeInto(data, room.subarray(0, most));
    const isCut = read < data.length;
    return { data: isCut ? decoder.decode(room.subarray(0, written)) : data, size: written, isCut };
  }
  if (data.length <= most) return { data, size: data.length, isCut: false };
  let size = most;
  while (size > Math.max(0, most - 4) && ((data[size] ?? 0) & 0xc0) === 0x80) size--;
  return { data: data.slice(0, size), size, isCut: true };
}

/** What is kept of a body that is long. */
export function cutBody(body: ReplyBody): ReplyBody {
  if (body.kind === "text") return { kind: "text", text: beginningOf(body.text).data };
  return body.kind === "bytes" ? { kind: "bytes", bytes: beginningOf(body.bytes).data } : body;
}

/** The first frames of a stream, whole. */
export function firstFrames(stream: EventStream): {
  readonly frames: readonly Frame[];
  readonly isCut: boolean;
} {
  const frames: Frame[] = [];
  let left = mostOfBody;
  for (const frame of stream.frames) {
    const { data, size, isCut } = beginningOf(bytesOf(frame, stream), left);
    if (size > 0) frames.push({ at: frame.at, data });
    left -= size;
    if (isCut) return { frames, isCut };
  }
  return { frames, isCut: false };
}

/** Usage, finish reasons and `[DONE]` are in so many frames at the end, unless there are many choices. */
const mostLast = 8;

/** The last frames that were sent of a stream. */
export function lastSent(stream: EventStream, { ms }: SentFrames): readonly Frame[] {
  const sent = stream.frames.slice(Math.max(0, ms.length - mostLast), ms.length);
  return sent.map((frame) => ({ at: frame.at, data: bytesOf(frame, stream) }));
}

/** More frames are not kept, though they may be small. */
const mostFrames = 1_000;

/** What is kept of a stream that is long, or of which not all was sent. Undefined: all of it. */
export function cutStream(
  stream: EventStream,
  sent: SentFrames,
):
  | { readonly stream: EventStream; readonly lastFrames: readonly Frame[]; readonly isCut: boolean }
  | undefined {
  const { frames, end } = stream;
  const isShort = sent.length <= mostOfBody && frames.length <= mostFrames;
  if (isShort && sent.ms.length >= frames.length) return undefined;
  const first = firstFrames(stream);
  const lastFrames = lastSent(stream, sent);
  sent.ms.length = Math.min(sent.ms.length, first.frames.length);
  return { stream: { frames: first.frames, end }, lastFrames, isCut: first.isCut };
}

/** A body that is made while it is sent, and a stream of what was sent of it, as far as it is kept. */
export function capture(
  play: (sink: Sink) => Playback,
  sent: SentFrames,
  now: () => number,
): { readonly play: (sink: Sink) => Playback; readonly stream: EventStream } {
  const frames: Frame[] = [];
  const end: { how: EventStream["end"]["how"]; at: number } = { how: "close", at: 0 };
  let left = mostOfBody;
  const watched = (sink: Sink): Playback => {
    const start = now();
    return play({
      write: (part) => {
        const { data, size, isCut } = beginningOf(part, left);
        if (size > 0) {
          // Whoever wrote bytes may write others to the same place.
          frames.push({ at: now() - start, data: typeof data === "string" ? data : data.slice() });
          sent.ms.push(now() - start);
        }
        left = isCut ? 0 : left - size;
        sent.length += part.length;
        return sink.write(part);
      },
      finish: (how) => {
        if (how === "reset") end.how = how;
        sink.finish(how);
      },
    });
  };
  return { play: watched, stream: { frames, end } };
}
