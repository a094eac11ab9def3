import { counted } from "../errors/show.ts";
import { labelOf } from "../http/answerer.ts";
import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import type { Timers } from "../http/scheduler.ts";
import { asObject } from "../schema/json.ts";
import { attempt, type Exchange, type Observer, type Outcome } from "./exchange.ts";
import { keptSize } from "./journal/journal.ts";
import { redactQuery } from "./journal/redaction.ts";
import type { Route } from "./routes.ts";
import type { Session } from "./session.ts";

/** A call on its way to its interface. */
export interface ReceivedCall {
  readonly call: Call;
  readonly route: Route;
  readonly session: Session;
  /** When it arrived by the timers, which measure how long it takes. */
  readonly started: number;
  /** When it arrived by its session's clock, in Unix time in milliseconds. */
  readonly at: number;
  /** Whether the session's journal includes it. */
  readonly isRecorded: boolean;
  /** Tells the developer something, once for each message. */
  readonly warnOnce: (message: string) => void;
}

/** Where a finished exchange is recorded. */
export interface ExchangeLog {
  readonly timers: Timers;
  readonly observer: Observer;
}

/**
 * The exchange of a call and its reply. Once it is over the journal has it and the observer is told, once. Neither can
 * break the answer: fronts tell how it went before all of it is out.
 */
export function exchangeOf(received: ReceivedCall, reply: Reply, log: ExchangeLog): Exchange {
  let isSettled = false;
  return {
    reply,
    settle: (outcome) => {
      if (isSettled) return;
      isSettled = true;
      attempt(() => record(received, reply, outcome, log), log.observer.failed);
    },
  };
}

// oxlint-disable-next-line max-params
function record(
  { call, route, session, started, at, isRecorded }: ReceivedCall,
  reply: Reply,
  outcome: Outcome,
  { timers, observer }: ExchangeLog,
): void {
  const { method, path, query, headers, received: body } = call;
  const { journal, id, ownKeys: keys } = session;
  const { status, answeredBy, headers: replyHeaders } = reply;
  const { chunksSent, bytes = 0, aborted } = outcome;
  const durationMs = timers.now() - started;
  // Written out twice: adding properties to a spread object costs a GET by key 10 µs.
  if (isRecorded) {
    journal.record({
      number: journal.count + 1,
      order: journal.all.count,
      at,
      session: id,
      interface: route.interface,
      method,
      path,
      query,
      headers,
      body,
      status,
      answeredBy,
      replyHeaders,
      durationMs,
      bytes,
      chunksSent,
      aborted,
      size: keptSize(call),
    });
  }
  observer.exchanged?.({
    at,
    session: id,
    interface: route.interface,
    method,
    path,
    query: redactQuery(query, { of: route.interface, keys }),
    status,
    answeredBy: labelOf(answeredBy, { headers, body }),
    durationMs,
    chunksSent,
    aborted,
    problem: problemOf(reply, outcome),
  });
}

/** Why the client got no whole answer. */
function problemOf({ status, body }: Reply, { chunksSent, aborted }: Outcome): string | undefined {
  if (body.kind === "no-answer") return `no answer: fault ${body.how}`;
  const place = body.kind === "stream" ? ` after ${counted(chunksSent, "chunk")}` : "";
  const { frames = [], end } = body.kind === "stream" ? body.stream : {};
  if (end?.fault !== undefined && chunksSent >= frames.length) return `fault ${end.fault}${place}`;
  if (aborted) return `left by the client${place}`;
  if (end !== undefined) return end.how === "close" ? undefined : `${end.how}${place}`;
  return body.kind === "text" && status >= 400 ? sentenceOf(body.text) : undefined;
}

/** The sentence in an error of either interface. A recorded answer may be anything. */
function sentenceOf(text: string): string | undefined {
  try {
    const error: unknown = asObject(JSON.parse(text))?.["error"];
    const message = asObject(error)?.["message"] ?? error;
    return typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}
