import type { ServerResponse } from "node:http";
import type { Exchange } from "../../core/emulator/exchange.ts";
import type { StreamEnd } from "../../core/http/event-stream.ts";
import type { Reply, ReplyBody, Silence } from "../../core/http/reply.ts";
import type { Playback, Scheduler, Sink } from "../../core/http/scheduler.ts";
import type { HeldResponses } from "./held-responses.ts";

/** What sending needs. */
export interface SendOptions {
  readonly scheduler: Scheduler;
  readonly isHead: boolean;
  /** Resolves when the client has sent the rest of a body that nobody wants; undefined when there is no rest. */
  readonly requestRead: Promise<void> | undefined;
  /** Sends what is whole together with what else is ready; undefined: it goes out at once. */
  readonly held: HeldResponses | undefined;
}

/** Writes a reply. A stream is played as fast as its frames are due and the client reads. */
export function sendReply(
  exchange: Exchange,
  response: ServerResponse,
  { scheduler, ...options }: SendOptions,
): void {
  const { status, headers, body } = exchange.reply;
  if (response.destroyed) exchange.settle({ chunksSent: 0, aborted: true });
  else if (body.kind === "no-answer") sendNothing(body.how, exchange, response);
  else if (options.isHead || !isPlayed(body)) sendWhole(exchange, response, options);
  else {
    response.writeHead(status, headers);
    playStream((sink) => playBody(body, scheduler, sink), exchange, response);
  }
}

/** A body that comes to be while it is sent. */
export type PlayedBody = Extract<ReplyBody, { readonly kind: "stream" | "live" }>;

/** Whether a body is a stream, whose length nobody knows. */
export function isPlayed(body: ReplyBody): body is PlayedBody {
  return body.kind === "stream" || body.kind === "live";
}

/** Begins to write a stream to a sink. */
// oxlint-disable-next-line max-params -- what is played, by what, and to where
export function playBody(body: PlayedBody, scheduler: Scheduler, sink: Sink): Playback {
  return body.kind === "live" ? body.play(sink) : scheduler.play(body.stream, sink);
}

/** A body that is no stream. A text stays a text, which node:http writes in one piece with the head. */
export function wholeBody(body: ReplyBody): string | Uint8Array {
  if (body.kind === "text") return body.text;
  return body.kind === "bytes" ? body.bytes : "";
}

/** Bodies that are longer, in characters or bytes, go out in parts. */
const mostAtOnce = 2 ** 20;

function sendWhole(
  exchange: Exchange,
  response: ServerResponse,
  { isHead, requestRead, held }: Omit<SendOptions, "scheduler">,
): void {
  const { reply } = exchange;
  const whole = wholeBody(reply.body);
  const size = Buffer.byteLength(whole);
  // Nobody knows how long the stream would be that HEAD asks for.
  response.writeHead(reply.status, headerList(reply, isHead && size === 0 ? undefined : size));
  const bytes = isHead ? "" : whole;
  if (bytes.length > mostAtOnce && requestRead === undefined) {
    sendInParts(exchange, response, bytes);
    return;
  }
  // The end of a connection's last response closes it, so it has to wait for what the client still sends.
  if (requestRead === undefined || response.shouldKeepAlive) {
    if (held !== undefined && typeof bytes === "string") held.end(response, bytes, size);
    else response.end(bytes);
  } else {
    response.write(bytes);
    void requestRead.then(() => response.end());
  }
  exchange.settle({ chunksSent: 0, bytes: isHead ? 0 : size, aborted: false });
}

/**
 * Names and values in turn: two cookies have names that differ in upper case only. A reply to HEAD may bring the length
 * of the body that GET would have; undefined: that is not told.
 */
function headerList({ status, headers }: Reply, length: number | undefined): string[] {
  const list = Object.entries(headers).flat();
  const mayHaveLength = length !== undefined && status !== 204 && status !== 304;
  return mayHaveLength && headers["content-length"] === undefined
    ? ["content-length", String(length), ...list]
    : list;
}

/** Leaves the client without an answer. Where its connection breaks it does so at once: there is nothing to be lost. */
function sendNothing(how: Silence, exchange: Exchange, response: ServerResponse): void {
  const isReset = how === "reset";
  response.once("close", () => exchange.settle({ chunksSent: 0, aborted: !isReset }));
  if (isReset) response.socket?.resetAndDestroy();
}

const partLength = 2 ** 18;

const inParts: WeakSet<ServerResponse> = new WeakSet();

/** Whether a response is one that goes out in parts, and so comes to its end by itself. */
export function isInParts(response: ServerResponse): boolean {
  return inParts.has(response);
}

/** Sends a large body no faster than its client reads: node:http would keep a second copy of what waits. */
function sendInParts(
  exchange: Exchange,
  response: ServerResponse,
  body: string | Uint8Array,
): void {
  inParts.add(response);
  const whole = typeof body === "string" ? Buffer.from(body) : body;
  let sent = 0;
  let isOver = false;
  const settle = (aborted: boolean): void => {
    if (isOver) return;
    isOver = true;
    exchange.settle({ chunksSent: 0, bytes: sent, aborted });
  };
  const write = (): void => {
    let goesOn = true;
    while (goesOn && sent < whole.length) {
      const part = whole.subarray(sent, sent + partLength);
      sent += part.length;
      goesOn = response.write(part);
    }
    if (!goesOn || isOver) return;
    response.end();
    settle(false);
  };
  response.on("drain", write).once("close", () => settle(true));
  write();
}

function playStream(
  play: (sink: Sink) => Playback,
  exchange: Exchange,
  response: ServerResponse,
): void {
  let brokenOnPurpose = false;
  let bytes = 0;
  const playback = play({
    write: (data) => {
      bytes += Buffer.byteLength(data);
      return response.write(data);
    },
    finish: (how) => {
      brokenOnPurpose = how === "reset";
      finish(response, how);
    },
  });
  response.on("drain", () => playback.resume());
  // Else the head is out already.
  if (playback.framesSent() === 0) response.flushHeaders();
  response.once("close", () => {
    playback.stop();
    const aborted = !response.writableFinished && !brokenOnPurpose;
    exchange.settle({ chunksSent: playback.framesSent(), bytes, aborted });
  });
}

function finish(response: ServerResponse, how: StreamEnd): void {
  if (how === "close") response.end();
  // What is written still goes out; the end of the chunked body does not, so the client sees it broken. A TCP reset
  // would not be exact: some systems drop what they have received when one comes.
  if (how === "reset") response.socket?.destroySoon();
}
