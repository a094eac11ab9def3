import type { ServerResponse } from "node:http";
import type { Exchange } from "../emulator/exchange.ts";
import type { EventStream, StreamEnd } from "../http/event-stream.ts";
import type { Reply } from "../http/reply.ts";
import type { Scheduler } from "../http/scheduler.ts";

/** What sending goes by. */
export interface SendOptions {
  readonly scheduler: Scheduler;
  readonly isHead: boolean;
  /** Resolves when the client has sent the rest of a body that nobody wants; undefined when there is no rest. */
  readonly requestRead: Promise<void> | undefined;
}

/** Writes a reply. A stream is played as fast as its frames are due and the client reads. */
export function sendReply(
  exchange: Exchange,
  response: ServerResponse,
  { scheduler, isHead, requestRead }: SendOptions,
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
  const whole = wholeBody(reply);
  response.writeHead(reply.status, headerList(reply, Buffer.byteLength(whole)));
  const bytes = isHead ? "" : whole;
  // The end of a connection's last response closes it, so it has to wait for what the client still sends.
  if (requestRead === undefined || response.shouldKeepAlive) {
    response.end(bytes);
  } else {
    response.write(bytes);
    void requestRead.then(() => response.end());
  }
  exchange.settle({ chunksSent: 0, aborted: false });
}

/**
 * Names and values in turn, which node:http takes without a look at each property. A reply to HEAD may bring the
 * length of the body that GET would have.
 */
function headerList({ status, headers }: Reply, length: number): string[] {
  const list: string[] = [];
  const mayHaveLength = status !== 204 && status !== 304;
  if (mayHaveLength && headers["content-length"] === undefined) {
    list.push("content-length", String(length));
  }
  for (const [name, value] of Object.entries(headers)) list.push(name, value);
  return list;
}

/** A text stays a text: node:http writes it together with the head, bytes apart from it. */
function wholeBody({ body }: Reply): string | Uint8Array {
  if (body.kind === "text") return body.text;
  return body.kind === "bytes" ? body.bytes : "";
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
