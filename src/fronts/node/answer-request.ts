import type { ServerResponse } from "node:http";
import type { Core } from "../../core/emulator/core.ts";
import type { Guard } from "../../core/emulator/access.ts";
import { busyReply } from "../../core/emulator/own-replies.ts";
import { wait } from "../../core/emulator/environment.ts";
import type { AnsweredExchange } from "../../core/emulator/exchange.ts";
import type { Connections } from "./connections.ts";
import { sizeOf } from "../../core/http/reply.ts";
import type { BytesUnderWay } from "./bytes-under-way.ts";
import { discardBody } from "./request-body.ts";
import { RequestCall, type SharedHeaders } from "./request-call.ts";
import { sendReply } from "./send-reply.ts";
import { Scheduler } from "../../core/http/scheduler.ts";
import { nodeTimers } from "./timers.ts";

/** The part of a core that a front needs. */
export type ServedCore = Pick<Core, "handle" | "route" | "settings" | "report" | "warnOnce">;

/** Plays the streams of all servers. */
const scheduler = new Scheduler(nodeTimers);

/** What the requests of one server share. */
export interface ServerShare {
  /** Undefined: the app around lets in every caller. */
  guard: Guard | undefined;
  readonly underWay: BytesUnderWay;
  readonly headers?: SharedHeaders;
  readonly connections?: Connections;
}

const tooMany = "Too many connections are open. Close some, or raise maxConnections.";

/** Answers a request. A bug in the emulator breaks the connection. */
export async function answerRequest(
  core: ServedCore,
  response: ServerResponse,
  share: ServerShare,
): Promise<void> {
  const request = response.req;
  let exchange: AnsweredExchange | undefined;
  try {
    const { settings } = core;
    const { bodyLimit, bodiesLimit, maxConnections } = settings;
    const { headers: sharedHeaders, underWay } = share;
    const call = new RequestCall(request, response, {
      bodyLimit,
      bodiesLimit,
      underWay,
      sharedHeaders,
    });
    const isTooMany = share.connections?.isBeyond(maxConnections, request.socket) === true;
    exchange = isTooMany
      ? { reply: busyReply(core.route(call.path).interface, tooMany), settle: () => undefined }
      : await core.handle(call, share);
    underWay.hold(sizeOf(exchange.reply), response);
    const { waitMs = 0 } = exchange;
    if (waitMs > 0 && !(await wait(waitMs, call.signal, nodeTimers))) {
      exchange.settle({ chunksSent: 0, aborted: true });
      return;
    }
    const isHead = request.method === "HEAD";
    // Over HTTP/2, an unread body does not block other requests.
    const mayHaveRest = call.received === undefined && request.httpVersionMajor === 1;
    const requestRead = mayHaveRest ? discardBody(request) : undefined;
    sendReply(exchange, response, { scheduler, isHead, requestRead });
  } catch (error) {
    core.report(error);
    exchange?.settle({ chunksSent: 0, aborted: true });
    response.destroy();
  }
}
