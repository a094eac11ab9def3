import {
  type AnswerPlan,
  type AnswerScene,
  type ClosestRecording,
  labelOf,
  type MissedScript,
  type RecordingPlace,
} from "../../http/answerer.ts";
import type { CallHeaders } from "../../http/call.ts";
import { parseBody } from "../../http/json-body.ts";
import type { AnswerEnd, Reply } from "../../http/reply.ts";
import type { JsonObject } from "../../schema/json.ts";
import { type ExchangeRecord, refusalIn } from "../exchange.ts";
import type { KeptReply } from "./kept-reply.ts";
import { redactMisses, redactPlan, redactHeaders, redactQuery } from "./redaction.ts";
import { chatFigures, type JournalResponse, noFigures, readResponse } from "./response.ts";

/** A request and its outcome. */
export interface JournalEntry {
  /** Given when it arrived: a number, which counts the requests of its session. */
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
  /** 0 when a fault left the request without an answer, and before the answer begins. */
  readonly status: number;
  /** How it ended for the client; `pending` while it is under way. */
  readonly ended: "pending" | AnswerEnd;
  /** Why the client got no whole answer, or the sentence of a refusal; null if it got one. */
  readonly problem: string | null;
  /** What the client got; null if nothing, and before the answer begins. */
  readonly response: JournalResponse | null;
  /** The usage in a chat's answer, as it was sent; null if it has none. */
  readonly usage: JsonObject | null;
  /** The finish reason in a chat's answer, of its first choice; null if it has none. */
  readonly finishReason: string | null;
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
  /** So far, while it is under way. */
  readonly durationMs: number;
  /** The size of the body that was sent; 0 while it is under way. */
  readonly bytes: number;
  /** Frames of a stream; 0 for other replies. */
  readonly chunksSent: number;
  /** Whether the client went away before the end. */
  readonly aborted: boolean;
  /** How often the client has tried before, by its own count. */
  readonly retryCount: number | null;
}

/** What a journal keeps of an exchange, filled in as it goes on: the raw data, since most entries are never read. */
export interface RecordedExchange
  extends Omit<ExchangeRecord, "answeredBy" | "problem" | "status">, KeptReply {
  /** How many had arrived in its journal with this one. */
  readonly number: number;
  /** How many had ended in its journal with this one; 0 while it is under way. */
  place: number;
  /** How many had ended over all sessions; 0 while it is under way. */
  order: number;
  /** When it arrived, by the timers. */
  readonly started: number;
  readonly headers: CallHeaders;
  /** Undefined if the request had no body, or it was not read. */
  body: Uint8Array | undefined;
  /** When the reply begins to be sent, by the timers. */
  headAt: number;
  ended: JournalEntry["ended"];
  /** Why it broke off; undefined if it did not. */
  problem: string | undefined;
  durationMs: number;
  bytes: number;
  chunksSent: number;
  aborted: boolean;
  /** Its approximate cost in bytes, once it is answered. */
  size: number;
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

/** An exchange in readable form. One that is under way is read as it is `now`, by the timers. */
export function readEntry(
  exchange: RecordedExchange,
  { state, ownKeys: keys }: JournalOwner,
  now: number,
): JournalEntry {
  const { at, session = null, headers, body, reply, ended } = exchange;
  const isPending = ended === "pending";
  const response = hasBegun(exchange, now) ? readResponse(exchange, keys) : null;
  const scene = { headers, body, tables: state.database };
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
    status: statusOf(exchange, now),
    ended,
    problem: exchange.problem ?? (ended === "refused" ? refusalIn(response?.body) : null) ?? null,
    response,
    ...(exchange.interface === "chat" ? chatFigures(exchange, response) : noFigures),
    ...answerParts(reply?.answeredBy, scene, keys),
    durationMs: isPending ? now - exchange.started : exchange.durationMs,
    bytes: exchange.bytes,
    chunksSent: isPending ? (exchange.sent?.ms.length ?? 0) : exchange.chunksSent,
    aborted: exchange.aborted,
    retryCount: retryCountOf(headers),
  };
}

/** An exchange as it is while it is under way, or as it was when it arrived if it is over. */
export function asArrived(exchange: RecordedExchange): RecordedExchange {
  if (exchange.ended === "pending") return exchange;
  const unanswered = { reply: undefined, sent: undefined, problem: undefined };
  return {
    ...exchange,
    ...unanswered,
    ended: "pending",
    body: undefined,
    bytes: 0,
    aborted: false,
  };
}

/** The status that the client got, or gets if it left too soon; 0 before the answer begins. */
export function statusOf(exchange: RecordedExchange, now: number): number {
  const isKnown = exchange.ended !== "pending" || hasBegun(exchange, now);
  return isKnown ? (exchange.reply?.status ?? 0) : 0;
}

/** Whether the head of the answer is out. */
function hasBegun({ reply, ended, aborted, ...times }: RecordedExchange, now: number): boolean {
  if (reply === undefined) return false;
  if (ended !== "pending" && !aborted) return true;
  return times.headAt <= (ended === "pending" ? now : times.started + times.durationMs);
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
  answeredBy: Reply["answeredBy"],
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
export function bodyText({ body }: Pick<RecordedExchange, "body">): string | undefined {
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
