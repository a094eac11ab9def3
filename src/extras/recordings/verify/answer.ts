import type { Timers } from "../../../core/http/scheduler.ts";
import type { RecordedAnswer, RecordedPart } from "../../../core/replay/cassette.ts";
import { bodyBytes } from "../../../core/replay/recorded-body.ts";
import { type ServerSentEvent, readEvents } from "../event-stream.ts";

/** How an answer ended: as it should, by a broken connection, not at all in the time that it had, or cut off by us. */
type AnswerEnd = "close" | "reset" | "hang" | "too-long";

/** What a body is, as far as it is compared. */
export type AnswerBody =
  | { readonly kind: "none" }
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "events"; readonly events: readonly ServerSentEvent[] }
  | { readonly kind: "text" }
  | { readonly kind: "bytes" };

/** What was answered, by the service or by the emulator. */
export interface Answer {
  /** 0: nothing came, not even a head. `end` tells how. */
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AnswerBody;
  readonly end: AnswerEnd;
}

/** An answer without a head. */
export function noHead(end: AnswerEnd): Answer {
  return { status: 0, headers: new Map(), body: { kind: "none" }, end };
}

/** How much of an answer is read, and for how long. */
export interface Patience {
  readonly timers: Timers;
  /** Milliseconds that the whole answer may take. */
  readonly timeoutMs: number;
  /** Milliseconds that may pass with nothing new. Default: as long as the whole may take. */
  readonly idleMs?: number;
  /** Default: 64 MB. */
  readonly maxBytes?: number;
}

const defaultMaxBytes = 64_000_000;

/** How long is left for an answer. */
export interface Deadline {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  /** Something came: what may pass with nothing new begins anew. */
  readonly extend: () => void;
  readonly end: () => void;
}

/** Begins to count the time that an answer has. */
export function deadlineOf({ timers, timeoutMs, idleMs = timeoutMs }: Patience): Deadline {
  const over = new AbortController();
  const abort = (): void => over.abort();
  const whole = timers.set(abort, timeoutMs);
  let idle = timers.set(abort, idleMs);
  return {
    signal: over.signal,
    extend: () => {
      timers.clear(idle);
      idle = timers.set(abort, idleMs);
    },
    end: () => {
      timers.clear(whole);
      timers.clear(idle);
    },
  };
}

/** Reads a response to its end, whatever that is. It does not reject. */
export async function readAnswer(
  response: Response,
  deadline: Deadline,
  { maxBytes = defaultMaxBytes }: Pick<Patience, "maxBytes">,
): Promise<Answer> {
  const { bytes, end } = await readBytes(response, deadline, maxBytes);
  const headers = new Map(response.headers);
  return { status: response.status, headers, body: bodyOf(bytes, headers), end };
}

async function readBytes(
  response: Response,
  deadline: Deadline,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly end: AnswerEnd }> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { bytes: new Uint8Array(), end: "close" };
  const parts: Uint8Array[] = [];
  let size = 0;
  const timeout = aborted(deadline.signal);
  for (;;) {
    const read = await Promise.race([reader.read().catch(() => "reset" as const), timeout]);
    if (typeof read !== "string" && !read.done && size + read.value.byteLength <= maxBytes) {
      parts.push(read.value);
      size += read.value.byteLength;
      deadline.extend();
      continue;
    }
    void reader.cancel().catch(() => undefined);
    return { bytes: join(parts, size), end: endOf(read, deadline.signal) };
  }
}

type Read = "reset" | "hang" | { readonly done: boolean };

/** A body whose time is over fails as one that breaks does. */
function endOf(read: Read, signal: AbortSignal): AnswerEnd {
  if (read === "hang" || (read === "reset" && signal.aborted)) return "hang";
  if (read === "reset") return "reset";
  return read.done ? "close" : "too-long";
}

/** Resolves when a signal is aborted. */
export function aborted(signal: AbortSignal): Promise<"hang"> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve("hang");
    signal.addEventListener("abort", () => resolve("hang"), { once: true });
  });
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.byteLength;
  }
  return joined;
}

/** What a body is, by its bytes and its type. */
export function bodyOf(bytes: Uint8Array, headers: ReadonlyMap<string, string>): AnswerBody {
  if (bytes.byteLength === 0) return { kind: "none" };
  const text = textOf(bytes);
  if (mediaType(headers.get("content-type")) === "text/event-stream") {
    return { kind: "events", events: readEvents(text ?? new TextDecoder().decode(bytes)) };
  }
  if (text === undefined) return { kind: "bytes" };
  try {
    const value: unknown = JSON.parse(text);
    return { kind: "json", value };
  } catch {
    return { kind: "text" };
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The body of a recorded answer, as one that is read of a service. */
export function recordedBody({ body, stream, headers }: RecordedAnswer): AnswerBody {
  const parts = stream?.map(partBytes) ?? (body === undefined ? [] : [bodyBytes(body)]);
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.byteLength;
  }
  return bodyOf(joined, new Map(Object.entries(headers)));
}

function partBytes(part: RecordedPart): Uint8Array {
  return bodyBytes("text" in part ? { text: part.text } : { base64: part.base64 });
}

/** The type that a `content-type` names, without its parameters; undefined where there is none. */
export function mediaType(contentType: string | undefined): string | undefined {
  const [type = ""] = (contentType ?? "").split(";");
  return type.trim() === "" ? undefined : type.trim().toLowerCase();
}
