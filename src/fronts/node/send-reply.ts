import type { ServerResponse } from "node:http";
import type { Http2ServerResponse, Http2Stream } from "node:http2";
import type { Exchange } from "../../core/emulator/exchange.ts";
import type { Reply, ReplyBody, Silence } from "../../core/http/reply.ts";
import { playPieces } from "../../core/http/json-pieces.ts";
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
  options: SendOptions,
): void {
  const { reply } = exchange;
  const { body } = reply;
  const isPlayed = body.kind === "stream" || body.kind === "live";
  if (response.destroyed) exchange.settle({ chunksSent: 0, aborted: true });
  else if (body.kind === "no-answer") sendNothing(body.how, exchange, response);
  else if (options.isHead || !isPlayed) sendWhole(exchange, response, options);
  else {
    writeHead(reply, response);
    if (body.kind === "live" && body.isFinite === true) inParts.add(response);
    const play = (sink: Sink): Playback =>
      body.kind === "live" ? body.play(sink) : options.scheduler.play(body.stream, sink);
    playStream(play, exchange, response);
  }
}

/** The stream of a response that goes over HTTP/2. What node:http2 gives passes else for a response of node:http. */
function streamOf(response: object): Http2Stream | undefined {
  return "stream" in response ? (response as Http2ServerResponse).stream : undefined;
}

/** Headers of connections, which HTTP/2 refuses. */
const ofConnections: readonly string[] = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
];

/** Writes the head. Undefined: the body has no length, or none that is told. */
function writeHead(reply: Reply, response: ServerResponse, length?: number): void {
  const { status, headers } = reply;
  const mayHaveLength = length !== undefined && status !== 204 && status !== 304;
  const isTold = mayHaveLength && headers["content-length"] === undefined;
  if (streamOf(response) !== undefined) {
    const all = Object.entries({ ...(isTold && { "content-length": String(length) }), ...headers });
    const allowed = all.filter(([name]) => !ofConnections.includes(name.toLowerCase()));
    response.writeHead(status, Object.fromEntries(allowed));
    return;
  }
  // Names and values in turn: two cookies have names that differ in upper case only.
  const list = isTold ? ["content-length", String(length)] : [];
  for (const [name, value] of Object.entries(headers)) list.push(name, value);
  response.writeHead(status, list);
}

/** A body that is no stream. A text stays a text, which node:http writes in one piece with the head. */
function wholeBody(body: ReplyBody): string | Uint8Array {
  if (body.kind === "text") return body.text;
  return body.kind === "bytes" ? body.bytes : "";
}

/** Bodies that are longer, in characters or bytes, go out in parts. */
const mostAtOnce = 2 ** 20;

function sendWhole(
  exchange: Exchange,
  response: ServerResponse,
  { isHead, requestRead, held }: SendOptions,
): void {
  const { reply } = exchange;
  const whole = wholeBody(reply.body);
  const size = Buffer.byteLength(whole);
  // Nobody knows how long the stream would be that HEAD asks for.
  writeHead(reply, response, isHead && size === 0 ? undefined : size);
  const bytes = isHead ? "" : whole;
  if (bytes.length > mostAtOnce && requestRead === undefined) {
    inParts.add(response);
    playStream((sink) => playPieces(partsOf(bytes), sink), exchange, response);
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

/** Leaves the client without an answer. Where its connection breaks it does so at once: there is nothing to be lost. */
function sendNothing(how: Silence, exchange: Exchange, response: ServerResponse): void {
  const isReset = how === "reset";
  response.once("close", () => exchange.settle({ chunksSent: 0, aborted: !isReset }));
  if (isReset) {
    if (!breakStream(response)) response.socket?.resetAndDestroy();
  } else if (streamOf(response) === undefined) {
    // Who closes its side waits for an answer that never comes.
    if (response.socket?.readableEnded === true) response.socket.destroy();
    else response.socket?.once("end", () => response.destroy());
  }
}

const partLength = 2 ** 18;

const inParts: WeakSet<ServerResponse> = new WeakSet();

/** Whether a response is one that goes out in parts, and so comes to its end by itself. */
export function isInParts(response: ServerResponse): boolean {
  return inParts.has(response);
}

/** A large body in parts: node:http would keep a second copy of what waits. */
function* partsOf(body: string | Uint8Array): Generator<Uint8Array, void> {
  const whole = typeof body === "string" ? Buffer.from(body) : body;
  for (let at = 0; at < whole.length; at += partLength) yield whole.subarray(at, at + partLength);
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
      if (how === "close") response.end();
      if (how === "drop") response.destroy();
      // What is written still goes out; the end of the chunked body does not, so the client sees it broken. A TCP reset
      // would not be exact: some systems drop what they have received when one comes.
      if (brokenOnPurpose && !breakStream(response)) response.socket?.destroySoon();
    },
  });
  response.on("drain", () => playback.resume());
  // Else the head is out already.
  if (playback.framesSent() === 0) response.flushHeaders();
  response.once("close", () => {
    playback.stop();
    // Over HTTP/2 all is finished for Node that is closed.
    const isOut =
      streamOf(response) === undefined ? response.writableFinished : response.writableEnded;
    exchange.settle({
      chunksSent: playback.framesSent(),
      bytes,
      aborted: !isOut && !brokenOnPurpose,
    });
  });
}

const internalError = 2;

/** Breaks one exchange of HTTP/2, after what is written. False: it is HTTP/1, where the connection has to break. */
function breakStream(response: ServerResponse): boolean {
  const stream = streamOf(response);
  if (stream === undefined) return false;
  setImmediate(() => stream.close(internalError));
  return true;
}
