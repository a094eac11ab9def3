import type { AnswerEnd } from "./answer-end.ts";
import type { Answerer } from "./answerer.ts";
import type { EventStream } from "./event-stream.ts";
import type { Playback, Sink } from "./scheduler.ts";

/** Response headers by lower-case name. In `set-cookie`, each line is a cookie. */
export type ReplyHeaders = Readonly<Record<string, string>>;

/** Headers of one connection (RFC 9110, 7.6.1), which say nothing about an answer. */
export const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Copies headers with lower-case names. */
export function lowerCased<Value>(
  headers?: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  if (headers === undefined) return {};
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** Header lines by lower-case name. Cookies, which no comma can join (RFC 6265, 3), keep their lines. */
export function joinedHeaders(lines: readonly (readonly [string, string])[]): ReplyHeaders {
  const joined = new Map<string, string>();
  for (const [name, value] of lines) {
    const before = joined.get(name);
    const between = name === "set-cookie" ? "\n" : ", ";
    joined.set(name, before === undefined ? value : before + between + value);
  }
  return Object.fromEntries(joined);
}

/** The lines in which headers are sent: each cookie has one of its own. */
export function headerLines(headers: ReplyHeaders): [name: string, value: string][] {
  const lines: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (name !== "set-cookie") lines.push([name, value]);
    else for (const cookie of value.split("\n")) lines.push([name, cookie]);
  }
  return lines;
}

/** The ways in which a client gets no answer: it waits for ever, or its connection breaks. */
export type Silence = "hang" | "reset";

/** A fault in an answer: its kind, and how an answer with it ends. */
export interface AnswerFault {
  readonly kind: string;
  readonly ended: AnswerEnd;
  /**
   * How many events of the stream came before the fault, comments not counted. Undefined: the fault has no place in a
   * stream.
   */
  readonly afterChunks?: number | undefined;
}

/** A response body: text (sent as UTF-8), bytes, a stream of frames, live events, or none. */
export type ReplyBody =
  | {
      readonly kind: "text";
      readonly text: string;
      /**
       * The body from which the text was made. The journal keeps this body instead, since it takes less memory, and
       * makes the text again when needed.
       */
      readonly source?: ReplyBody;
    }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "stream"; readonly stream: EventStream }
  /**
   * `play` writes to a sink until it is stopped. A front calls it at most once. With `isFinite`, the body ends as soon
   * as the client has read all of it.
   */
  | { readonly kind: "live"; readonly play: (sink: Sink) => Playback; readonly isFinite?: true }
  | { readonly kind: "none" }
  /** Nothing is sent, not even the head. */
  | { readonly kind: "no-answer"; readonly how: Silence };

/** A response of the core, for every front. */
export interface Reply {
  /** 0 when there is no answer. */
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: ReplyBody;
  /** Milliseconds to wait before sending anything. Default: 0. */
  readonly delayMs?: number;
  /** The source of the answer, for the log and the journal: a few words, or a function for them. */
  readonly answeredBy?: string | Answerer;
  /** The fault that affects the answer, for the log and the journal. */
  readonly fault?: AnswerFault | undefined;
  /** Whether the fixtures have no answer, so that a real service or a recording may answer instead. */
  readonly isMiss?: true | undefined;
}

/** The reply, marked as having no answer in the fixtures. */
export function asMiss(reply: Reply): Reply {
  return { isMiss: true, ...reply };
}

/** A reply with `value` as JSON. */
export function jsonReply(status: number, value: unknown, headers?: ReplyHeaders): Reply {
  return jsonTextReply(status, JSON.stringify(value), headers);
}

/** The headers of JSON. Most answers share them, so that the journal keeps them once. */
export const jsonHeaders: ReplyHeaders = { "content-type": "application/json" };

/** A reply with a finished JSON text. */
export function jsonTextReply(status: number, text: string, headers?: ReplyHeaders): Reply {
  const all = headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers };
  return { status, headers: all, body: { kind: "text", text } };
}

/** A reply without a body. */
export function emptyReply(status: number, headers: ReplyHeaders = {}): Reply {
  return { status, headers, body: { kind: "none" } };
}

/** No answer: the connection hangs or breaks before the head. */
export function noAnswer(how: Silence): Reply {
  return { status: 0, headers: {}, body: { kind: "no-answer", how } };
}

const encoder = new TextEncoder();

/** The reply to HEAD: the same head, with the length of the body, and no body. */
export function withoutBody(reply: Reply): Reply {
  const { body, headers } = reply;
  if (body.kind === "no-answer") return reply;
  if (body.kind !== "text") return { ...reply, body: { kind: "none" } };
  const length = String(encoder.encode(body.text).byteLength);
  return { ...reply, headers: { ...headers, "content-length": length }, body: { kind: "none" } };
}

/** An error of the emulator itself, before it is put into the format of its interface. */
export interface OwnError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** An error that a planned fault causes, before it is put into the format of its interface. */
export interface PlannedError {
  readonly status: number;
  readonly message: string;
  /** Whether the planned fault sets the message. Otherwise the message only names the fault. */
  readonly isWorded: boolean;
  /** The time in milliseconds after which the planned fault tells clients to retry. */
  readonly waitMs: number | undefined;
  readonly headers: ReplyHeaders;
}

/** The approximate memory of a piece of a stream in bytes, besides its text. */
const pieceSize = 150;
/** The pieces of shorter streams are not counted: many streams may share them. */
const shortStream = 10_000;

/** The memory that an answer takes until it is written. Parts that are made while it is written count as none. */
export function sizeOf({ body }: Reply): number {
  if (body.kind === "text") return body.text.length;
  if (body.kind === "bytes") return body.bytes.length;
  if (body.kind !== "stream") return 0;
  const { length } = body.stream.frames;
  return length > shortStream ? length * pieceSize : 0;
}
