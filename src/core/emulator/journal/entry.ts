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

/** A request and what became of it. */
export interface JournalEntry {
  readonly id: string;
  /** When it came: an ISO time in UTC, by the emulator's clock. */
  readonly at: string;
  /** Null: the base session. */
  readonly session: string | null;
  readonly interface: "rest" | "chat";
  readonly method: string;
  readonly path: string;
  /** Without the leading "?"; empty when there was none. Keys and tokens are redacted. */
  readonly query: string;
  /** Keys and tokens are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed value if it was JSON of at most 1,000 levels, else the text; null without a body. */
  readonly body: unknown;
  /** 0 when there was no answer, because of a fault. */
  readonly status: number;
  readonly answeredBy: string | null;
  /** The name of the chat script that answered. */
  readonly script: string | null;
  /** Which of the script's `replies` answered, from 0; null where it has one. */
  readonly reply: number | null;
  /**
   * The scripts that did not match, up to 5 of those that came closest, closest first: of a request that a script
   * answered those that were tried before it.
   */
  readonly misses: readonly MissedScript[];
  /** How the table finds the rows of the request, as it is when the entry is read; null where no rows were looked for. */
  readonly plan: AnswerPlan | null;
  /** The id of the planned fault that answered, or that held the answer back. */
  readonly fault: string | null;
  /** The recording that was replayed. */
  readonly recording: RecordingPlace | null;
  /** Of a request that was refused since it is not recorded: what comes closest, and where that differs. */
  readonly closestRecording: ClosestRecording | null;
  readonly durationMs: number;
  /** Of the body that was sent. */
  readonly bytes: number;
  /** Frames of a stream; 0 for other replies. */
  readonly chunksSent: number;
  /** True when the client went away before the end. */
  readonly aborted: boolean;
  /** How many times the client says that it has tried before. */
  readonly retryCount: number | null;
}

/** What a journal keeps of an exchange: as it came, since most entries are never read. */
export interface RecordedExchange extends Omit<ExchangeRecord, "answeredBy"> {
  /** How many were recorded up to this one. */
  readonly number: number;
  /** The same over all sessions. */
  readonly order: number;
  readonly headers: CallHeaders;
  /** Undefined when the request had none, or it was not read. */
  readonly body: Uint8Array | undefined;
  readonly answeredBy: string | Answerer | undefined;
  readonly replyHeaders: ReplyHeaders;
  readonly bytes: number;
  /** What keeping it costs, about, in bytes. */
  readonly size: number;
}

/** Whose journal an exchange is in. */
export interface JournalOwner {
  /** Undefined for the base session. */
  readonly id: string | undefined;
  /** With its tables, as they are now. */
  readonly state: { readonly database: unknown };
  /** The emulator's own keys, which no journal shows wherever a client puts them. */
  readonly ownKeys: readonly string[];
}

/** An exchange as it is shown. */
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

function answerParts(
  answeredBy: RecordedExchange["answeredBy"],
  scene: AnswerScene,
  keys: readonly string[],
): AnswerParts {
  const label = labelOf(answeredBy, scene) ?? null;
  const details = typeof answeredBy === "object" ? answeredBy.details(scene) : {};
  const { script = null, reply = null, misses = [], plan, fault = null } = details;
  const { recording = null, closestRecording = null } = details;
  return {
    answeredBy: label,
    script,
    reply,
    misses: redactMisses(misses, keys),
    plan: plan === undefined ? null : redactPlan(plan, keys),
    fault,
    recording,
    closestRecording,
  };
}

const decoder = new TextDecoder();

/** A request's body as text; undefined when there was none. */
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
