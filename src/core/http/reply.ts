import type { Answerer } from "./answerer.ts";
import type { EventStream } from "./event-stream.ts";
import type { Playback, Sink } from "./scheduler.ts";

/** Response headers by lower-case name. */
export type ReplyHeaders = Readonly<Record<string, string>>;

/** How a client gets no answer at all: it waits in vain, or its connection breaks. */
export type Silence = "hang" | "reset";

/** A response body: text (sent as UTF-8), bytes, a stream of frames, one of what happens from now on, or none. */
export type ReplyBody =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "stream"; readonly stream: EventStream }
  /**
   * `play` begins to write to a sink, until it is stopped. A front calls it at most once. What is finite comes to its
   * end as fast as the client reads.
   */
  | { readonly kind: "live"; readonly play: (sink: Sink) => Playback; readonly isFinite?: true }
  | { readonly kind: "none" }
  /** Nothing is sent, not even the head. */
  | { readonly kind: "no-answer"; readonly how: Silence };

/** A response as the core gives it, the same to every front. */
export interface Reply {
  /** 0 when there is no answer. */
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: ReplyBody;
  /** Milliseconds that the front waits before it sends anything. Default 0. */
  readonly delayMs?: number;
  /** What gave this answer, for the log and the journal: a few words, or what finds them when they are asked for. */
  readonly answeredBy?: string | Answerer;
  /** Nothing in the fixtures answers this: a real service might, or a recording. */
  readonly isMiss?: true | undefined;
}

/** The same reply, of which is known that nothing in the fixtures answers. */
export function asMiss(reply: Reply): Reply {
  return { isMiss: true, ...reply };
}

/** A reply whose body is `value` as JSON text. */
export function jsonReply(status: number, value: unknown, headers: ReplyHeaders = {}): Reply {
  return jsonTextReply(status, JSON.stringify(value), headers);
}

/** A reply whose body is JSON text that is there already. */
export function jsonTextReply(status: number, text: string, headers: ReplyHeaders = {}): Reply {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: { kind: "text", text },
  };
}

/** A reply without a body. */
export function emptyReply(status: number, headers: ReplyHeaders = {}): Reply {
  return { status, headers, body: { kind: "none" } };
}

/** No answer: what a client gets whose connection hangs or breaks before the head. */
export function noAnswer(how: Silence): Reply {
  return { status: 0, headers: {}, body: { kind: "no-answer", how } };
}

const encoder = new TextEncoder();

/** The reply as HEAD gives it: the same head, with the length that the body would have, and no body. */
export function withoutBody(reply: Reply): Reply {
  const { body, headers } = reply;
  if (body.kind === "no-answer") return reply;
  if (body.kind !== "text") return { ...reply, body: { kind: "none" } };
  const length = String(encoder.encode(body.text).byteLength);
  return { ...reply, headers: { ...headers, "content-length": length }, body: { kind: "none" } };
}

/** An error that was planned for a request, before it is put in the form that its interface has. */
export interface PlannedError {
  readonly status: number;
  readonly message: string;
  readonly headers: ReplyHeaders;
}
