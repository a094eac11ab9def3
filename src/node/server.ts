import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Core } from "../emulator/core.ts";
import type { Emulator } from "../emulator/emulator.ts";
import { runtimeTimers } from "../emulator/environment.ts";
import type { Exchange } from "../emulator/exchange.ts";
import { wait } from "../emulator/wait.ts";
import type { Call } from "../http/call.ts";
import { isPromise } from "../http/maybe-promise.ts";
import { closeServer, Connections } from "./connections.ts";
import { discardBody } from "./discard-body.ts";
import { listen } from "./listen.ts";
import { refuseBrokenRequest, refuseTunnel, refuseWithoutHost } from "./refuse-broken-request.ts";
import { callFromRequest } from "./request-call.ts";
import { sendReply } from "./send-reply.ts";

/** Where a server listens. */
export interface ServerOptions {
  /** Default 4010; 0 picks a free one. */
  readonly port?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
}

/** A server that is listening. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:4010`, with the true port. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Stops listening, ends open streams and connections, and resolves when all are gone. */
  readonly close: () => Promise<void>;
}

export const defaultPort = 4010;
export const defaultHost = "127.0.0.1";

/** Longer than the minute for which clients commonly keep a pooled connection, so that it is they who close it. */
const keepAliveMs = 75_000;
const largestHead = 64 * 1024;

/** Serves an emulator over HTTP. Rejects with `ERR_LISTEN` when the address cannot be listened on. */
export async function startServer(
  emulator: Pick<Emulator, "core">,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const { port = defaultPort, host = defaultHost } = options;
  const server = createServer({
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: largestHead,
    // A header sent twice must not pass for the first of the two.
    joinDuplicateHeaders: true,
    // Refused below: node:http would answer without a body.
    requireHostHeader: false,
  });
  // The size of the head is the limit; headers beyond a number would be dropped in silence.
  server.maxHeadersCount = 0;
  const connections = new Connections(server);
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      refuseWithoutHost(request.socket);
      return;
    }
    const fail = (error: unknown): void => {
      emulator.core.report(error);
      response.destroy();
    };
    try {
      const turn = connections.add(request.socket, response);
      const unfinished =
        turn === undefined
          ? answer(emulator.core, request, response)
          : turn.then(() => answerInTurn(emulator.core, request, response));
      unfinished?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  server.on("request", take);
  // An expectation that is not known is no reason to refuse what is asked.
  server.on("checkExpectation", take);
  server.on("connect", (_request, socket) => refuseTunnel(socket));
  server.on("clientError", (error, socket) => {
    refuseBrokenRequest(error, socket, {
      isAnswering: connections.isAnswering(socket),
      unknownMethod: emulator.core.settings.restProfile.unknownMethod,
    });
  });
  const address = await listen(server, { port, host });
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    host,
    port: address.port,
    close: () => closeServer(server, connections),
  };
}

/** Answers a request that others came before, unless the client went while it waited. */
function answerInTurn(
  core: Core,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | undefined {
  return request.destroyed ? undefined : answer(core, request, response);
}

/** Answers a request: in the same tick, where nothing has to be waited for. */
function answer(
  core: Core,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | undefined {
  const call = callFromRequest(request, response, core.settings);
  const send = (exchange: Exchange): void => {
    sendReply(exchange, response, {
      scheduler: core.scheduler,
      isHead: request.method === "HEAD",
      requestRead: discardBody(request),
    });
  };
  const exchange = core.handle(call);
  const sendWhenDue = (due: Exchange): Promise<void> | void => {
    const { delayMs = 0 } = due.reply;
    return delayMs > 0 ? sendLater(due, call, send) : send(due);
  };
  if (isPromise(exchange)) return exchange.then(sendWhenDue);
  return sendWhenDue(exchange) ?? undefined;
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
