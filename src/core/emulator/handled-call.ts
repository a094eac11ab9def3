import { labelOf } from "../http/answerer.ts";
import type { Call } from "../http/call.ts";
import { emptyReply, type Reply } from "../http/reply.ts";
import type { Timers } from "../http/scheduler.ts";
import type { AskedCall } from "./answer-call.ts";
import type { Exchange, Observer, Outcome } from "./exchange.ts";
import { redactQuery } from "./journal/redaction.ts";
import type { Route } from "./routes.ts";
import type { Session } from "./session.ts";

/** What calls are measured by, and who is told of them. */
export interface CallWatch {
  readonly timers: Timers;
  readonly observer: Observer;
}

const unanswered = emptyReply(500);

/**
 * A call from its arrival until its answer is out: then it is noted in the journal, and the observer is told. One
 * object for all of it, since each that a request makes is one to collect.
 */
export class HandledCall implements AskedCall, Exchange {
  readonly call: Call;
  readonly route: Route;
  readonly session: Session;
  readonly started: number;
  readonly at: number;
  /** Set once it is there. */
  reply: Reply = unanswered;
  readonly #watch: CallWatch;
  #isSettled = false;
  /** Whether no journal has it. */
  #isOfNoSession = false;

  // oxlint-disable-next-line max-params
  constructor(call: Call, route: Route, session: Session, watch: CallWatch) {
    this.call = call;
    this.route = route;
    this.session = session;
    this.#watch = watch;
    this.started = watch.timers.now();
    this.at = session.now();
  }

  /** The same, of a call that is in no session: the observer is told of it, and no journal has it. */
  refused(reply: Reply): this {
    this.#isOfNoSession = true;
    this.reply = reply;
    return this;
  }

  settle({ chunksSent, bytes = 0, aborted }: Outcome): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { call, route, session, at, reply } = this;
    const { timers, observer } = this.#watch;
    const durationMs = timers.now() - this.started;
    const { method, path, query, headers, received: body } = call;
    const { status, answeredBy, headers: replyHeaders } = reply;
    const { journal } = session;
    const entry = {
      number: journal.count + 1,
      at,
      session: session.id,
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
    };
    if (!this.#isOfNoSession) journal.record(entry);
    observer.exchanged?.({
      at,
      session: session.id,
      interface: route.interface,
      method,
      path,
      query: redactQuery(query, { of: route.interface, keys: session.ownKeys }),
      status,
      answeredBy: labelOf(answeredBy, { headers, body }),
      durationMs,
      chunksSent,
      aborted,
    });
  }
}
