import { joinBytes } from "../../http/bytes.ts";
import { bytesOf, type EventStream } from "../../http/event-stream.ts";
import { parseText } from "../../http/json-body.ts";
import { toBase64 } from "../../http/base64.ts";
import { answerInChatForm } from "../../chat/forms/responses-answer.ts";
import { asObject, type JsonObject } from "../../schema/json.ts";
import { beginningOf, firstFrames, type KeptReply, lastFrames } from "./kept-reply.ts";
import { redactHeaders, withoutOwnKeys } from "./redaction.ts";

/** An answer as the client got it. */
export interface JournalResponse {
  /** Keys and tokens are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed value if it is JSON, else the text; null for an event stream, and without a body. */
  readonly body: unknown;
  /** For bytes that are not text. */
  readonly encoding?: "base64";
  /** Whether there was more than the 64 KB that are kept. */
  readonly truncated: boolean;
  /** The frames of an event stream; null for other bodies. */
  readonly frames: readonly JournalFrame[] | null;
}

/** A frame of a stream. */
export interface JournalFrame {
  readonly data: string;
  /** Milliseconds after the start of the stream, as planned. */
  readonly dueMs: number;
  /** When the frame was really sent; null if it was not. */
  readonly sentMs: number | null;
}

/** The answer of an exchange as its client got it; null if it got none. */
export function readResponse(kept: KeptReply, keys: readonly string[]): JournalResponse | null {
  const { reply } = kept;
  if (reply === undefined || reply.body.kind === "no-answer") return null;
  const headers = redactHeaders(reply.headers, keys);
  const frames = framesOf(kept, keys);
  if (frames !== undefined) return { headers, body: null, ...frames };
  const { text, encoding, isCut } = sentText(kept, keys);
  const parsed = isCut || encoding !== undefined ? undefined : parseText(text);
  const body = parsed?.kind === "json" ? parsed.value : text || null;
  return { headers, body, ...(encoding && { encoding }), truncated: isCut, frames: null };
}

/** The body of an answer that is one whole JSON text; null for all others. */
export function wholeBody({ reply, isCut }: KeptReply): unknown {
  if (reply?.body.kind !== "text" || isCut) return null;
  const parsed = parseText(reply.body.text);
  return parsed.kind === "json" ? parsed.value : null;
}

/** The event stream of an answer; undefined if the answer is not one. */
function eventsOf({ reply }: KeptReply): EventStream | undefined {
  if (reply?.body.kind !== "stream") return undefined;
  const isOfEvents = /event-stream|ndjson/.test(reply.headers["content-type"] ?? "");
  return isOfEvents ? reply.body.stream : undefined;
}

function framesOf(
  kept: KeptReply,
  keys: readonly string[],
): Pick<JournalResponse, "frames" | "truncated"> | undefined {
  const stream = eventsOf(kept);
  if (stream === undefined) return undefined;
  const { frames, isCut } = firstFrames(stream);
  const read = frames.map(({ at, data }, index) => ({
    data: withoutOwnKeys(decoded(data), keys),
    dueMs: at,
    sentMs: kept.sent?.ms[index] ?? null,
  }));
  return { frames: read, truncated: isCut || kept.isCut };
}

/** The size of what has been sent of an answer so far, in bytes, without the first `from` frames. */
export function bytesSent({ reply, sent }: KeptReply, from = 0): number {
  if (sent === undefined || reply?.body.kind !== "stream") return 0;
  const { stream } = reply.body;
  const frames = stream.frames.slice(from, sent.ms.length);
  return frames.reduce((size, frame) => size + encoded(bytesOf(frame, stream)).byteLength, 0);
}

/** The most characters of a stream that an entry shows frame by frame: as many as the journal keeps. */
const mostTold = 65_536;

/** The frames of a stream under way that were sent since the first `from`, as far as the journal keeps them. */
export function sentFrames(
  kept: KeptReply,
  from: number,
  keys: readonly string[],
): readonly JournalFrame[] {
  const stream = eventsOf(kept);
  const { ms = [], length = 0 } = kept.sent ?? {};
  if (stream === undefined || length > mostTold) return [];
  return stream.frames.slice(from, ms.length).map((frame, index) => ({
    data: withoutOwnKeys(decoded(bytesOf(frame, stream)), keys),
    dueMs: frame.at,
    sentMs: ms[from + index] ?? null,
  }));
}

/** The part of a body that was sent, as text or in base64. */
export function sentText(
  { reply, sent, isCut }: KeptReply,
  keys: readonly string[],
): { readonly text: string; readonly encoding?: "base64"; readonly isCut: boolean } {
  const { body } = reply ?? {};
  let data: string | Uint8Array = "";
  if (body?.kind === "text") data = body.text;
  else if (body?.kind === "bytes") data = body.bytes;
  else if (body?.kind === "stream") {
    const { frames } = firstFrames(body.stream);
    data = joinBytes(frames.slice(0, sent?.ms.length ?? 0).map((frame) => encoded(frame.data)));
  }
  const first = beginningOf(data);
  const isPart = isCut || first.isCut;
  const text = typeof first.data === "string" ? first.data : textOf(first.data, isPart);
  if (text !== undefined) return { text: withoutOwnKeys(text, keys), isCut: isPart };
  return { text: toBase64(encoded(first.data)), encoding: "base64", isCut: isPart };
}

/** Bytes as text; undefined if they are not UTF-8. With `isPart`, the last character may be incomplete. */
function textOf(bytes: Uint8Array, isPart: boolean): string | undefined {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return strict.decode(bytes, { stream: isPart });
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function encoded(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? encoder.encode(data) : data;
}

function decoded(data: string | Uint8Array): string {
  return typeof data === "string" ? data : decoder.decode(data);
}

/** Usage and finish reason of a chat's answer as they were sent, under their names in chat completions. */
export interface ChatFigures {
  readonly usage: JsonObject | null;
  readonly finishReason: string | null;
}

/** The figures of a chat's answer, of which `body` has been read. The usage comes last, after the finish reason. */
export function chatFigures(kept: KeptReply, body: unknown): ChatFigures {
  let usage: JsonObject | null = null;
  for (const value of lastValues(kept, body)) {
    const chunk = chunkIn(value);
    const [choice] = Array.isArray(chunk?.["choices"]) ? chunk["choices"] : [];
    const { index = 0, finish_reason: reason } = asObject(choice) ?? {};
    usage ??= asObject(chunk?.["usage"]) ?? null;
    if (typeof reason === "string" && index === 0) return { usage, finishReason: reason };
  }
  return { usage, finishReason: null };
}

/** The body of an answer, or the values of the last events of a stream, the last one first. */
function* lastValues(kept: KeptReply, body: unknown): Generator<unknown, void> {
  const stream = eventsOf(kept);
  if (stream === undefined) {
    yield body;
    yield figuresIn(kept.tail);
    return;
  }
  const sent = kept.sent?.ms.length ?? 0;
  for (let at = sent - 1; at >= Math.max(0, sent - lastFrames); at--) {
    const frame = stream.frames[at];
    const text = frame === undefined ? "" : decoded(bytesOf(frame, stream));
    const parsed = parseText(/^data: (.*)$/m.exec(text)?.[1] ?? "");
    if (parsed.kind === "json") yield parsed.value;
  }
}

/** A body, or the data of an event, converted to the form of chat completions. */
function chunkIn(value: unknown): JsonObject | undefined {
  const data = asObject(value);
  return data === undefined ? undefined : (answerInChatForm(data) ?? data);
}

/**
 * Finds usage and finish reason at the end of an answer that is too long to keep. Quotes inside its strings are
 * escaped, so they cannot be mistaken.
 */
function figuresIn(tail: string): unknown {
  const [, usage = ""] = /"usage":\s*(\{(?:[^{}]|\{[^{}]*\})*\})/.exec(tail) ?? [];
  const [, reason] = /"finish_reason":\s*"(\w+)"/.exec(tail) ?? [];
  const read = parseText(usage);
  return {
    choices: [{ finish_reason: reason }],
    usage: read.kind === "json" ? read.value : undefined,
  };
}

/** A request's body as text; undefined if there was none. */
export function bodyText({ body }: { readonly body: Uint8Array | undefined }): string | undefined {
  return body === undefined || body.byteLength === 0 ? undefined : decoder.decode(body);
}
