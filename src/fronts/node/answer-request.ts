import type { ServerResponse } from "node:http";
import type { Core } from "../../core/emulator/core.ts";
import type { Guard } from "../../core/emulator/access.ts";
import { busyReply } from "../../core/emulator/own-replies.ts";
import { wait } from "../../core/emulator/environment.ts";
import type { Exchange } from "../../core/emulator/exchange.ts";
import { after, type Soon } from "../../core/http/soon.ts";
import type { Connections } from "./connections.ts";
import { type BodiesUnderWay, discardBody } from "./request-body.ts";
import { RequestCall, type SharedHeaders } from "./request-call.ts";
import { sendReply } from "./send-reply.ts";
import { nodeTimers } from "./timers.ts";

/** The part of a core that a front needs. */
export type ServedCore = Pick<
  Core,
  "handle" | "route" | "settings" | "scheduler" | "report" | "warnOnce"
>;

/** What the requests of one server share. */
export interface ServerShare {
  /** Undefined: the app around lets in every caller. */
  guard: Guard | undefined;
  readonly bodies: BodiesUnderWay;
  readonly headers?: SharedHeaders;
  readonly connections?: Connections;
}

const tooMany = "Too many connections are open. Close some, or raise maxConnections.";

/** Answers a request. A bug in the emulator breaks the connection. */
export function answerRequest(
  core: ServedCore,
  response: ServerResponse,
  share: ServerShare,
): Soon<void> {
  const request = response.req;
  let exchange: Exchange | undefined;
  const fail = (error: unknown): void => {
    core.report(error);
    exchange?.settle({ chunksSent: 0, aborted: true });
    response.destroy();
  };
  try {
    const { scheduler, settings } = core;
    const { bodyLimit, bodiesLimit, maxConnections } = settings;
    const { headers: sharedHeaders, bodies } = share;
    const call = new RequestCall(request, response, {
      bodyLimit,
      bodiesLimit,
      bodies,
      sharedHeaders,
    });
    const send = (ready: Exchange): void => {
      const isHead = request.method === "HEAD";
      // Over HTTP/2 an unread body blocks nobody.
      const mayHaveRest = call.received === undefined && request.httpVersionMajor === 1;
      const requestRead = mayHaveRest ? discardBody(request) : undefined;
      sendReply(ready, response, { scheduler, isHead, requestRead });
    };
    const answer = (ready: Exchange): Soon<void> => {
      exchange = ready;
      const { delayMs = 0 } = ready.reply;
      if (delayMs <= 0) return send(ready);
      return wait(delayMs, call.signal, nodeTimers).then((isOver) =>
        isOver ? send(ready) : ready.settle({ chunksSent: 0, aborted: true }),
      );
    };
    const isTooMany = share.connections?.isBeyond(maxConnections, request.socket) === true;
    const handled = isTooMany
      ? { reply: busyReply(core.route(call.path).interface, tooMany), settle: () => undefined }
      : core.handle(call, share);
    const answered = after(handled, answer);
    return answered instanceof Promise ? answered.catch(fail) : undefined;
  } catch (error) {
    return fail(error);
  }
}
