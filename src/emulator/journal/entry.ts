import type { CallHeaders } from "../../http/call.ts";
import type { ReplyBody } from "../../http/reply.ts";
import type { ExchangeRecord } from "../exchange.ts";
import { redactHeaders } from "./redact-headers.ts";

/** What a journal keeps of an exchange: as it came, since most entries are never read. */
export interface RecordedExchange extends Omit<ExchangeRecord, "answeredBy"> {
  readonly id: string;
  /** Undefined for the base session. */
  readonly session: string | undefined;
  readonly headers: CallHeaders;
  /** Undefined when the request had none, or it was not read. */
  readonly body: Uint8Array | undefined;
  readonly answeredBy: string | (() => string) | undefined;
  readonly reply: ReplyBody;
  readonly bytesStreamed: number;
  /** What keeping it costs, about, in bytes. */
  readonly size: number;
}

/** A request and its answer, for people and tests. */
export interface JournalEntry {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Null for the base session. */
  readonly session: string | null;
  readonly interface: "rest" | "chat";
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Without keys: they are shown as `***`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON, else its text; null when there was none. */
  readonly body: unknown;
  /** 0 when there was no answer, because of a fault. */
  readonly status: number;
  /** What gave the answer, such as `script "weather" reply 1`; null when nothing did. */
  readonly answeredBy: string | null;
  readonly durationMs: number;
  /** Of the reply's body; of a stream, those that were handed over. */
  readonly bytes: number;
  /** Frames handed over, for a streamed body; else 0. */
  readonly chunksSent: number;
  /** True when the client went away before the end. */
  readonly aborted: boolean;
  /** Which retry it was, as the client says; null when it says nothing. */
  readonly retryCount: number | null;
}

/** An entry as it is shown. */
export function readableEntry(exchange: RecordedExchange): JournalEntry {
  const { id, at, session = null, headers, body, answeredBy } = exchange;
  return {
    id,
    at: new Date(at).toISOString(),
    session,
    interface: exchange.interface,
    method: exchange.method,
    path: exchange.path,
    query: exchange.query,
    headers: redactHeaders(headers),
    body: readBody(body),
    status: exchange.status,
    answeredBy: (typeof answeredBy === "function" ? answeredBy() : answeredBy) ?? null,
    durationMs: exchange.durationMs,
    bytes: bytesOf(exchange),
    chunksSent: exchange.chunksSent,
    aborted: exchange.aborted,
    retryCount: retryCountOf(headers),
  };
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

function bytesOf({ reply, bytesStreamed }: RecordedExchange): number {
  switch (reply.kind) {
    case "text":
      return encoder.encode(reply.text).byteLength;
    case "bytes":
      return reply.bytes.byteLength;
    case "stream":
      return bytesStreamed;
    default:
      return 0;
  }
}

function readBody(body: Uint8Array | undefined): unknown {
  if (body === undefined || body.byteLength === 0) return null;
  const text = decoder.decode(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function retryCountOf(headers: CallHeaders): number | null {
  const told = headers["x-stainless-retry-count"];
  return told !== undefined && /^\d{1,6}$/.test(told) ? Number(told) : null;
}
