import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { Core } from "../../core/emulator/core.ts";
import type { Exchange } from "../../core/emulator/exchange.ts";
import { wait } from "../../core/emulator/environment.ts";
import type { ReplyHeaders } from "../../core/http/reply.ts";
import type { Playback, Scheduler, Sink } from "../../core/http/scheduler.ts";
import { callFromNodeRequest } from "./request-call.ts";
import { isPlayed, playBody, wholeBody } from "./send-reply.ts";
import { nodeTimers } from "./timers.ts";

/** Headers of a connection, which HTTP/2 has no use for and refuses. */
const ofConnections: readonly string[] = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
];

/** Answers a request that came over HTTP/2, as browsers send it to a server with a certificate. */
export async function answerOverHttp2(
  core: Core,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // What node:http2 gives passes for the objects of node:http, save for what `send` does.
  const answer = response as unknown as Http2ServerResponse;
  try {
    nameHost(request);
    const call = callFromNodeRequest(request, response, core.settings);
    const exchange = await core.handle(call);
    const { delayMs = 0 } = exchange.reply;
    const waited = delayMs === 0 || (await wait(delayMs, call.signal, nodeTimers));
    if (!waited || answer.destroyed) exchange.settle({ chunksSent: 0, aborted: true });
    else send(exchange, answer, { scheduler: core.scheduler, isHead: call.method === "HEAD" });
  } catch (error) {
    core.report(error);
    answer.stream.destroy();
  }
}

/** Gives the headers the form that they have in HTTP/1: the host by its name, and no pseudo-headers. */
function nameHost(request: IncomingMessage): void {
  const { authority } = request as unknown as Http2ServerRequest;
  const named = Object.entries(request.headers).filter(([name]) => !name.startsWith(":"));
  // What stands in the object itself goes before the getter, which method and URL are read by.
  Object.defineProperty(request, "headers", {
    value: { host: authority, ...Object.fromEntries(named) },
  });
}

interface SendOptions {
  readonly scheduler: Scheduler;
  readonly isHead: boolean;
}

function send(
  exchange: Exchange,
  response: Http2ServerResponse,
  { scheduler, isHead }: SendOptions,
): void {
  const { status, headers, body } = exchange.reply;
  if (body.kind === "no-answer") {
    response.once("close", () => exchange.settle({ chunksSent: 0, aborted: body.how !== "reset" }));
    if (body.how === "reset") breakOff(response);
    return;
  }
  response.writeHead(status, allowed(headers));
  if (isHead || !isPlayed(body)) {
    const bytes = isHead ? "" : wholeBody(body);
    response.end(bytes);
    exchange.settle({ chunksSent: 0, bytes: Buffer.byteLength(bytes), aborted: false });
    return;
  }
  playStream((sink) => playBody(body, scheduler, sink), exchange, response);
}

function allowed(headers: ReplyHeaders): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.filter(([name]) => !ofConnections.includes(name)));
}

function playStream(
  play: (sink: Sink) => Playback,
  exchange: Exchange,
  response: Http2ServerResponse,
): void {
  let brokenOnPurpose = false;
  let bytes = 0;
  const playback = play({
    write: (data) => {
      bytes += Buffer.byteLength(data);
      return response.write(data);
    },
    finish: (how) => {
      if (how === "close") response.end();
      brokenOnPurpose = how === "reset";
      if (brokenOnPurpose) breakOff(response);
    },
  });
  response.on("drain", () => playback.resume());
  response.once("close", () => {
    playback.stop();
    const aborted = !response.writableEnded && !brokenOnPurpose;
    exchange.settle({ chunksSent: playback.framesSent(), bytes, aborted });
  });
}

/** Breaks one exchange, where HTTP/1 breaks the connection. What is written goes out before. */
function breakOff({ stream }: Http2ServerResponse): void {
  setImmediate(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
}
