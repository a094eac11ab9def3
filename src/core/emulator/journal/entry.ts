import type { JournalEntry } from "../../control/journal-entry.ts";
import { type Answerer, type AnswerScene, labelOf } from "../../http/answerer.ts";
import type { CallHeaders } from "../../http/call.ts";
import type { ReplyHeaders } from "../../http/reply.ts";
import type { ExchangeRecord } from "../exchange.ts";
import { redactClosest, redactMisses, redactPlan } from "./redact-details.ts";
import { redactHeaders } from "./redact-headers.ts";
import { redactQuery } from "./redact-query.ts";

/** What a journal keeps of an exchange: as it came, since most entries are never read. */
export interface RecordedExchange extends Omit<ExchangeRecord, "answeredBy"> {
  /** How many were recorded up to this one. */
  readonly number: number;
  /** Undefined for the base session. */
  readonly session: string | undefined;
  readonly headers: CallHeaders;
  /** Undefined when the request had none, or it was not read. */
  readonly body: Uint8Array | undefined;
  readonly answeredBy: string | Answerer | undefined;
  readonly replyHeaders: ReplyHeaders;
  readonly bytes: number;
  /** What keeping it costs, about, in bytes, without the request's headers. */
  readonly size: number;
  /** The same of the request's headers, which entries that follow each other may share. */
  readonly headersSize: number;
}

/** What entries are shown by. */
export interface EntryScene {
  /** Those of the session. */
  readonly tables: unknown;
  /** The emulator's own keys, which are not shown wherever a client puts them. */
  readonly ownKeys: readonly string[];
}

/** An entry as it is shown. */
export function readableEntry(
  exchange: RecordedExchange,
  { tables, ownKeys: keys }: EntryScene,
): JournalEntry {
  const { at, session = null, headers, body, answeredBy } = exchange;
  return {
    id: String(exchange.number),
    at: new Date(at).toISOString(),
    session,
    interface: exchange.interface,
    method: exchange.method,
    path: exchange.path,
    query: redactQuery(exchange.query, { of: exchange.interface, keys }),
    headers: redactHeaders(headers, keys),
    body: readBody(body),
    status: exchange.status,
    ...answerParts(answeredBy, { headers, body, tables }, keys),
    durationMs: exchange.durationMs,
    bytes: exchange.bytes,
    chunksSent: exchange.chunksSent,
    aborted: exchange.aborted,
    retryCount: retryCountOf(headers),
  };
}

type AnswerParts = Pick<
  JournalEntry,
  "answeredBy" | "script" | "reply" | "misses" | "plan" | "fault" | "recording" | "closestRecording"
>;

function answerParts(
  answeredBy: RecordedExchange["answeredBy"],
  scene: AnswerScene,
  keys: readonly string[],
): AnswerParts {
  const label = labelOf(answeredBy, scene) ?? null;
  const details = typeof answeredBy === "object" ? answeredBy.details(scene) : {};
  const { script = null, reply = null, misses = [], plan, fault = null } = details;
  const { recording = null, closestRecording } = details;
  return {
    answeredBy: label,
    script,
    reply,
    misses: redactMisses(misses, keys),
    plan: plan === undefined ? null : redactPlan(plan, keys),
    fault,
    recording,
    closestRecording: closestRecording === undefined ? null : redactClosest(closestRecording, keys),
  };
}

const decoder = new TextDecoder();

/** A request's body as text; undefined when there was none. */
export function bodyText({ body }: RecordedExchange): string | undefined {
  return body === undefined || body.byteLength === 0 ? undefined : decoder.decode(body);
}

/** How many bytes a request's body had. */
export function bodyBytes({ body }: RecordedExchange): number {
  return body?.byteLength ?? 0;
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
