import type { ServerResponse } from "node:http";
import type { Exchange } from "../emulator/exchange.ts";
import type { EventStream, StreamEnd } from "../http/event-stream.ts";
import type { Reply } from "../http/reply.ts";
import type { Scheduler } from "../http/scheduler.ts";

/** Writes a reply. A stream is played as fast as its frames are due and the client reads. */
export function sendReply(
  exchange: Exchange,
  response: ServerResponse,
  { scheduler, isHead }: { readonly scheduler: Scheduler; readonly isHead: boolean },
): void {
  const { reply } = exchange;
  if (response.destroyed) {
    exchange.settle({ chunksSent: 0, aborted: true });
    return;
  }
  if (reply.body.kind === "stream" && !isHead) {
    response.writeHead(reply.status, reply.headers);
    playStream(reply.body.stream, exchange, { response, scheduler });
    return;
  }
  sendWhole(reply, response, isHead);
  exchange.settle({ chunksSent: 0, aborted: false });
}

function sendWhole(reply: Reply, response: ServerResponse, isHead: boolean): void {
  const bytes = wholeBody(reply);
  const withLength = reply.status !== 204 && reply.status !== 304;
  response.writeHead(
    reply.status,
    withLength && !(isHead && bytes.length === 0)
      ? { ...reply.headers, "content-length": String(bytes.length) }
      : reply.headers,
  );
  response.end(isHead ? undefined : bytes);
}

function wholeBody({ body }: Reply): Uint8Array {
  if (body.kind === "text") return Buffer.from(body.text, "utf8");
  return body.kind === "bytes" ? body.bytes : new Uint8Array();
}

interface Wire {
  readonly response: ServerResponse;
  readonly scheduler: Scheduler;
}

function playStream(stream: EventStream, exchange: Exchange, { response, scheduler }: Wire): void {
  let brokenOnPurpose = false;
  const playback = scheduler.play(stream, {
    write: (data) => response.write(data),
    finish: (how) => {
      brokenOnPurpose = how === "reset";
      finish(response, how);
    },
  });
  response.flushHeaders();
  response.on("drain", () => playback.resume());
  response.once("close", () => {
    playback.stop();
    const aborted = !response.writableFinished && !brokenOnPurpose;
    exchange.settle({ chunksSent: playback.framesSent(), aborted });
  });
}

function finish(response: ServerResponse, how: StreamEnd): void {
  if (how === "close") response.end();
  // What is written still goes out; the end of the chunked body does not, so the client sees it broken.
  if (how === "reset") response.socket?.destroySoon();
}
