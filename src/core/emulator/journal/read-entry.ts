import { type AnswerScene, detailsOf, labelOf, outcomeOf } from "../../http/answerer.ts";
import type { CallHeaders } from "../../http/call.ts";
import type { Reply } from "../../http/reply.ts";
import { parseBody } from "../../http/json-body.ts";
import { consoleHeader } from "../../http/console-header.ts";
import { keyProblem } from "../../http/key-problem.ts";
import { interfaces } from "../../interface.ts";
import { refusalIn } from "../delivery.ts";
import {
  type BrokenBy,
  hasBegun,
  type JournalEntry,
  type JournalOwner,
  type JournalSummary,
  type RecordedExchange,
  statusOf,
} from "./entry.ts";
import {
  redactCriteria,
  redactHeaders,
  redactMisses,
  redactPlan,
  redactQuery,
  withoutOwnKeys,
  withoutOwnKeysIn,
} from "./redaction.ts";
import { noChat, readChat } from "./read-chat.ts";
import { bodyText, bytesSent, chatFigures, readResponse } from "./response.ts";

/** The summary of an exchange. One that is under way is shown as at the time `now`, on the timers' clock. */
export function readSummary(
  exchange: RecordedExchange,
  { state, ownKeys: keys }: JournalOwner,
  now: number,
): JournalSummary {
  const { at, session = null, headers, reply, ended, path } = exchange;
  const scene = { headers, body: exchange.body, tables: state.database };
  const { hasModels } = interfaces[exchange.interface];
  const {
    script,
    reply: replyIndex,
    fault,
    recording,
    rows,
    change,
  } = outcomeOf(reply?.answeredBy);
  const { chat, conversation, tokens, finishReason } = hasModels
    ? readChat(exchange, keys, now)
    : noChat;
  const { durationMs, bytes, chunksSent } =
    ended === "pending" ? progressOf(exchange, now) : exchange;
  // Assign one by one, since each of four spreads takes half a microsecond.
  return {
    id: String(exchange.number),
    at: new Date(at).toISOString(),
    session,
    interface: exchange.interface,
    method: exchange.method,
    path,
    query: redactQuery(exchange.query, { of: exchange.interface, keys }),
    status: statusOf(exchange, now),
    ended,
    problem: problemOf(exchange, keys),
    answeredBy: labelOf(reply?.answeredBy, scene) ?? null,
    chat,
    script: script ?? null,
    reply: replyIndex ?? null,
    fault: fault ?? null,
    brokenBy: brokenBy(exchange),
    recording: recording ?? null,
    rows: rows ?? null,
    change: change === undefined ? null : withoutOwnKeysIn(change, keys),
    tokens,
    finishReason,
    conversation,
    durationMs,
    queuedMs: exchange.queuedMs ?? null,
    bytes,
    chunksSent,
    aborted: exchange.aborted,
    retryCount: retryCountOf(headers),
    console: headers[consoleHeader] ?? null,
  };
}

type Progress = Pick<JournalSummary, "durationMs" | "bytes" | "chunksSent">;

/** The progress of an exchange that is under way. */
function progressOf(exchange: RecordedExchange, now: number): Progress {
  return {
    durationMs: now - exchange.started,
    bytes: bytesSent(exchange),
    chunksSent: exchange.sent?.ms.length ?? 0,
  };
}

/** The whole entry of an exchange: its headers and bodies, and how its answer came about. */
export function readEntry(
  exchange: RecordedExchange,
  owner: JournalOwner,
  now: number,
): JournalEntry {
  const { headers, reply } = exchange;
  const { state, ownKeys: keys } = owner;
  const { hasModels } = interfaces[exchange.interface];
  const response = hasBegun(exchange, now) ? readResponse(exchange, keys) : null;
  const summary = readSummary(exchange, owner, now);
  const scene = { headers, body: exchange.body, tables: state.database };
  const parts = answerParts(reply?.answeredBy, scene, keys);
  const isByService =
    summary.script === null && summary.fault === null && summary.recording === null;
  const isForKey = isByService && summary.status === 401;
  return {
    ...summary,
    headers: redactHeaders(headers, keys),
    ...readBody(exchange),
    response,
    usage: hasModels && response !== null ? chatFigures(exchange, response.body).usage : null,
    ...parts,
    keyProblem: isForKey ? keyProblem(headers, keys) : null,
  };
}

/**
 * The fault in an answer, if the client has met it: not if the client left before, or if the fault is still to come.
 */
function brokenBy({ reply, ended }: RecordedExchange): BrokenBy | null {
  const fault = reply?.fault;
  if (fault === undefined || ended !== fault.ended) return null;
  return { kind: fault.kind, afterChunks: fault.afterChunks ?? null };
}

/** Why the client got no whole answer. For a refusal, this is its message. */
function problemOf(exchange: RecordedExchange, keys: readonly string[]): string | null {
  const { problem, ended } = exchange;
  if (problem !== undefined) return withoutOwnKeys(problem, keys);
  if (ended !== "refused") return null;
  return refusalIn(readResponse(exchange, keys)?.body) ?? null;
}

type AnswerParts = Pick<
  JournalEntry,
  "misses" | "missed" | "matched" | "alsoMatching" | "plan" | "change" | "closestRecording"
>;

const unexplained = {
  misses: [],
  missed: 0,
  matched: [],
  alsoMatching: [],
  plan: null,
  change: null,
  closestRecording: null,
};

function answerParts(
  answeredBy: Reply["answeredBy"],
  scene: AnswerScene,
  keys: readonly string[],
): AnswerParts {
  const parts = { ...unexplained, ...detailsOf(answeredBy, scene) };
  return {
    ...parts,
    misses: redactMisses(parts.misses, keys),
    matched: redactCriteria(parts.matched, keys),
    change: parts.change && withoutOwnKeysIn(parts.change, keys),
    plan: parts.plan && redactPlan(parts.plan, keys),
  };
}

/**
 * The body as JSON, else as text. JSON that is nested too deeply stays text, since recursive code such as
 * `JSON.stringify` would overflow the stack.
 */
function readBody(exchange: RecordedExchange): Pick<JournalEntry, "body" | "bodyText"> {
  const { body } = exchange;
  const read = body === undefined ? undefined : parseBody({ kind: "bytes", bytes: body });
  const text = bodyText(exchange) ?? null;
  if (read?.kind !== "json" || text === null) return { body: text, bodyText: null };
  const { value } = read;
  return { body: value, bodyText: givesAgain(value, text) ? null : text };
}

/** Longer bodies are not compared, and an entry has no second copy of them. */
const longestCompared = 100_000;

/** Whether a value, written as JSON, gives the text that it was read from, apart from spaces. */
function givesAgain(value: unknown, text: string): boolean {
  if (text.length > longestCompared) return true;
  return typeof value !== "string" && withoutSpaces(text) === JSON.stringify(value);
}

/** A JSON text without the spaces between its tokens. */
function withoutSpaces(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

function retryCountOf(headers: CallHeaders): number | null {
  const told = headers["x-stainless-retry-count"];
  return told !== undefined && /^\d{1,6}$/.test(told) ? Number(told) : null;
}
