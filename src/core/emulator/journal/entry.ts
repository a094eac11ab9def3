import {
  type Answerer,
  type AnswerPlan,
  type AnswerScene,
  type ClosestRecording,
  labelOf,
  type MissedScript,
  type RecordingPlace,
} from "../../http/answerer.ts";
import type { CallHeaders } from "../../http/call.ts";
import { parseBody } from "../../http/json-body.ts";
import type { ReplyHeaders } from "../../http/reply.ts";
import type { ExchangeRecord } from "../exchange.ts";
import { redactMisses, redactPlan, redactHeaders, redactQuery } from "./redaction.ts";

/** A request and its outcome. */
export interface JournalEntry {
  readonly id: string;
  /** When it arrived: an ISO time in UTC, by the emulator's clock. */
  readonly at: string;
  /** Null: the base session. */
  readonly session: string | null;
  readonly interface: "rest" | "chat";
  readonly method: string;
  readonly path: string;
  /** Without the leading "?"; empty if there was none. Keys and tokens are redacted. */
  readonly query: string;
  /** Keys and tokens are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed value if it was JSON of at most 1,000 levels, else the text; null without a body. */
  readonly body: unknown;
  /** 0 when a fault left the request without an answer. */
  readonly status: number;
  readonly answeredBy: string | null;
  /** The name of the chat script that answered. */
  readonly script: string | null;
  /** Which of the script's `replies` answered, from 0; null if it has only one. */
  readonly reply: number | null;
  /**
   * The scripts that came closest without matching, up to 5, closest first. If a script answered: those tried before
   * it.
   */
  readonly misses: readonly MissedScript[];
  /**
   * How the table finds the rows of the request, at the time of reading the entry; null for requests without a query.
   */
  readonly plan: AnswerPlan | null;
  /** The id of the planned fault that answered or delayed the answer. */
  readonly fault: string | null;
  /** The recording that was replayed. */
  readonly recording: RecordingPlace | null;
  /** For requests refused as not recorded: the closest recording and the differences. */
  readonly closestRecording: ClosestRecording | null;
  readonly durationMs: number;
  /** The size of the body that was sent. */
  readonly bytes: number;
  /** Frames of a stream; 0 for other replies. */
  readonly chunksSent: number;
  /** Whether the client went away before the end. */
  readonly aborted: boolean;
  /** How often the client has tried before, by its own count. */
  readonly retryCount: number | null;
}

/** What a journal keeps of an exchange: the raw data, since most entries are never read. */
export interface RecordedExchange extends Omit<ExchangeRecord, "answeredBy" | "problem"> {
  /** How many were recorded up to this one. */
  readonly number: number;
  /** The same over all sessions. */
  readonly order: number;
  readonly headers: CallHeaders;
  /** Undefined if the request had no body, or it was not read. */
  readonly body: Uint8Array | undefined;
  readonly answeredBy: string | Answerer | undefined;
  readonly replyHeaders: ReplyHeaders;
  readonly bytes: number;
  /** Its approximate cost in bytes. */
  readonly size: number;
}

/** The journal that an exchange is in. */
export interface JournalOwner {
  /** Undefined for the base session. */
  readonly id: string | undefined;
  /** The session's tables, as they are now. */
  readonly state: { readonly database: unknown };
  /** The emulator's own keys. No journal shows them, wherever a client puts them. */
  readonly ownKeys: readonly string[];
}

/** An exchange in readable form. */
export function readEntry(
  exchange: RecordedExchange,
  { state, ownKeys: keys }: JournalOwner,
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
    body: readBody(exchange),
    status: exchange.status,
    ...answerParts(answeredBy, { headers, body, tables: state.database }, keys),
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

const unexplained = {
  script: null,
  reply: null,
  misses: [],
  plan: null,
  fault: null,
  recording: null,
  closestRecording: null,
};

function answerParts(
  answeredBy: RecordedExchange["answeredBy"],
  scene: AnswerScene,
  keys: readonly string[],
): AnswerParts {
  const details = typeof answeredBy === "object" ? answeredBy.details(scene) : {};
  const parts = { ...unexplained, ...details };
  return {
    answeredBy: labelOf(answeredBy, scene) ?? null,
    ...parts,
    misses: redactMisses(parts.misses, keys),
    plan: parts.plan && redactPlan(parts.plan, keys),
  };
}

const decoder = new TextDecoder();

/** A request's body as text; undefined if there was none. */
export function bodyText({ body }: RecordedExchange): string | undefined {
  return body === undefined || body.byteLength === 0 ? undefined : decoder.decode(body);
}

/** Deeper JSON stays a text: whoever walked it, as `JSON.stringify` does, would overflow the stack. */
function readBody(exchange: RecordedExchange): unknown {
  const { body } = exchange;
  const read = body === undefined ? undefined : parseBody({ kind: "bytes", bytes: body });
  return read?.kind === "json" ? read.value : (bodyText(exchange) ?? null);
}

function retryCountOf(headers: CallHeaders): number | null {
  const told = headers["x-stainless-retry-count"];
  return told !== undefined && /^\d{1,6}$/.test(told) ? Number(told) : null;
}
