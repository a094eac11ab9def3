import { labelOf } from "../http/answerer.ts";
import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import type { Slot } from "../chat/load.ts";
import type { Timers } from "../http/scheduler.ts";
import type { StepAside } from "../http/step-aside.ts";
import type { InterfaceName } from "../interface.ts";
import { parseJson } from "../schema/json.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";
import { type Delivery, endOf, refusalIn } from "./delivery.ts";
import type { RecordedExchange } from "./journal/entry.ts";
import { redactQuery, withoutOwnKeys } from "./journal/redaction.ts";
import type { Metrics } from "./metrics.ts";
import { attempt, type Observer } from "./observer.ts";
import type { Route } from "./routes.ts";
import type { Session } from "./session.ts";

/** A call on its way to its interface. */
export interface Exchange {
  readonly call: Call;
  readonly route: Route;
  readonly session: Session;
  readonly settings: ResolvedSettings;
  /** The clock that measures how long the request takes. */
  readonly timers: Timers;
  /** When the call arrived, on the clock of `timers`. */
  readonly started: number;
  /** When the call arrived, on its session's clock, in Unix time in milliseconds. */
  readonly at: number;
  /** The call's entry in the session's journal; undefined if the journal does not keep it. */
  readonly entry: RecordedExchange | undefined;
  /** A chat's place among the running ones, once it has one. Undefined: the number of chats is not limited. */
  slot?: Slot;
  /** Lets others use shared tables while the call waits. Undefined: the call does not hold any. */
  aside?: StepAside;
  /** Logs a warning for the developer: each message once, and a few messages of each kind. */
  readonly warnOnce: (message: string, kind?: string) => void;
  /** The paths of the other interfaces, for the answer to an unknown path. */
  readonly pathsBeside: (name: InterfaceName, base: string) => readonly string[];
}

/** Where a finished exchange is recorded. */
export interface ExchangeLog {
  readonly timers: Timers;
  readonly observer: Observer;
  readonly metrics: Metrics;
}

/**
 * Pairs a call with its reply. The journal keeps both at once and is completed when the front reports how the reply
 * was sent; then the observer gets both, once. Errors in journal or observer cannot break the answer.
 */
export function answered(exchange: Exchange, given: Reply, log: ExchangeLog): AnsweredExchange {
  const { call, entry, session } = exchange;
  const readyAt = log.timers.now();
  // The delay counts from the arrival, or from the end of the queue: finding the reply, for which the first request
  // also loads code, uses up a part of it.
  const preparedMs = readyAt - exchange.started - (exchange.slot?.queuedMs ?? 0);
  const waitMs = Math.max(0, (given.delayMs ?? 0) - preparedMs);
  const headAt = readyAt + waitMs;
  let reply = given;
  attempt(() => {
    if (entry === undefined) return;
    if (waitMs > 0) entry.headAt = headAt;
    reply = session.journal.answer(entry, call, given);
  }, log.observer.failed);
  const isStream = reply.body.kind === "stream";
  if (isStream) log.metrics.streamsBegun += 1;
  let isSettled = false;
  return {
    reply,
    waitMs,
    settle: (outcome) => {
      if (isSettled) return;
      isSettled = true;
      exchange.slot?.leave();
      attempt(() => finish(exchange, { reply, headAt }, outcome, log), log.observer.failed);
    },
  };
}

function finish(
  { call, route, session, started, at, entry, slot }: Exchange,
  { reply, headAt }: { readonly reply: Reply; readonly headAt: number },
  outcome: Delivery,
  { timers, observer, metrics }: ExchangeLog,
): void {
  const { ended, problem } = endOf(entry?.reply ?? reply, outcome);
  const { chunksSent, bytes = 0, aborted } = outcome;
  const durationMs = timers.now() - started;
  // Written property by property, since an object made by spreading another one would cost 10 µs.
  const queuedMs = slot?.queuedMs;
  const end = { ended, problem, chunksSent, bytes, aborted, durationMs, queuedMs };
  const headMs = headAt - started;
  metrics.end({ of: route.interface.name, reply, headMs, chunksSent, ended, slot });
  if (entry !== undefined) session.journal.end(entry, end);
  if (observer.exchanged === undefined) return;
  const { method, path, query, headers, received: body } = call;
  const { status, answeredBy } = reply;
  const isRefused = ended === "refused" && reply.body.kind === "text";
  const told = isRefused ? refusalIn(parseJson(reply.body.text)) : problem;
  observer.exchanged({
    at,
    session: session.id,
    interface: route.interface.name,
    method,
    path,
    query: redactQuery(query, { of: route.interface.name, keys: session.ownKeys }),
    status,
    answeredBy: labelOf(answeredBy, { headers, body }),
    durationMs,
    chunksSent,
    aborted,
    problem: told === undefined ? undefined : withoutOwnKeys(told, session.ownKeys),
  });
}

/** A reply on its way out. The front sends it and then reports how that went, once. */
export interface AnsweredExchange {
  readonly reply: Reply;
  /** How long the front waits before it sends the head. Default: 0. */
  readonly waitMs?: number;
  readonly settle: (outcome: Delivery) => void;
}
