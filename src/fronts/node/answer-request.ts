import type { ServerResponse } from "node:http";
import type { Core } from "../../core/emulator/core.ts";
import { runtimeTimers } from "../../core/emulator/environment.ts";
import type { Exchange } from "../../core/emulator/exchange.ts";
import { wait } from "../../core/emulator/environment.ts";
import type { Call } from "../../core/http/call.ts";
import { isPromise } from "../../core/http/maybe-promise.ts";
import { discardBody } from "./request-body.ts";
import type { HeldResponses } from "./held-responses.ts";
import { callFromRequest } from "./request-call.ts";
import { sendReply } from "./send-reply.ts";

/** What a front needs of a core. */
export type ServedCore = Pick<Core, "handle" | "settings" | "scheduler" | "report">;

/**
 * Answers the request of a response: in the same tick, where nothing has to be waited for. A bug of ours breaks the
 * connection.
 */
export function answerRequest(
  core: ServedCore,
  response: ServerResponse,
  held?: HeldResponses,
): void {
  const request = response.req;
  const fail = (error: unknown): void => {
    core.report(error);
    response.destroy();
  };
  try {
    const call = callFromRequest(request, response, core.settings);
    const send = (exchange: Exchange): void => {
      // In here, since to catch what a promise rejects with takes another one for each request.
      try {
        const isHead = request.method === "HEAD";
        const requestRead = discardBody(request);
        sendReply(exchange, response, { scheduler: core.scheduler, isHead, requestRead, held });
      } catch (error) {
        fail(error);
      }
    };
    const sendWhenDue = (exchange: Exchange): void => {
      const { delayMs = 0 } = exchange.reply;
      if (delayMs > 0) sendLater(exchange, call, send).catch(fail);
      else send(exchange);
    };
    const exchange = core.handle(call);
    if (isPromise(exchange)) void exchange.then(sendWhenDue);
    else sendWhenDue(exchange);
  } catch (error) {
    fail(error);
  }
}

async function sendLater(
  exchange: Exchange,
  call: Call,
  send: (exchange: Exchange) => void,
): Promise<void> {
  const { delayMs = 0 } = exchange.reply;
  if (await wait(delayMs, call.signal, runtimeTimers)) send(exchange);
  else exchange.settle({ chunksSent: 0, aborted: true });
}
