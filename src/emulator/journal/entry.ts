import type { CallHeaders } from "../../http/call.ts";
import type { JournalEntry } from "../../control/journal-entry.ts";
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
  readonly bytes: number;
  /** What keeping it costs, about, in bytes. */
  readonly size: number;
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
    bytes: exchange.bytes,
    chunksSent: exchange.chunksSent,
    aborted: exchange.aborted,
    retryCount: retryCountOf(headers),
  };
}

const decoder = new TextDecoder();

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
