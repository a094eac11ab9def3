import { parseAddress } from "./routes.ts";
import type { CallSource, Core } from "./core.ts";
import { presentTimers, runtimeTimers, wait } from "./environment.ts";
import { joinBytes } from "../http/bytes.ts";
import type { Call, CallBody, CallHeaders } from "../http/call.ts";
import { isRequest, isSignal, ownRequest, ownSignal } from "./own-request.ts";
import { reasonPhrase } from "../http/reason-phrase.ts";
import { headerLines, type ReplyBody, type Silence } from "../http/reply.ts";
import type { EventStream, StreamEnd } from "../http/event-stream.ts";
import { playAlone } from "../http/play-alone.ts";
import type { Playback, Sink } from "../http/scheduler.ts";
import type { AnsweredExchange } from "./exchange.ts";
import { OpenBody, WaitingClient } from "./waiting-client.ts";

/** The base of relative addresses, so that an app's `fetch("/rest/users")` works unchanged. */
const ownAddress = "http://localhost";

/**
 * Keeps a request alive as long as its signal is in use: the signal follows the caller's only while the request
 * itself is referenced.
 */
const requestsBySignal = new WeakMap<AbortSignal, Request>();

/** The signal that the caller passed, used directly so that no derived signal has to follow it. */
function callersSignal(
  request: Request,
  input: Request | URL | string,
  init: RequestInit | undefined,
): AbortSignal {
  if (init?.signal) return ownSignal(init.signal);
  // With `signal: null`, the request must outlive the abort of the request that it was made from.
  if (init?.signal === null) return request.signal;
  if (!isRequest(input) || !isSignal(input.signal)) return request.signal;
  requestsBySignal.set(input.signal, input);
  return ownSignal(input.signal);
}

/** Returns the caller's own request if it has no body, since copying it would take a quarter of the time of a GET. */
function requestOf(input: Request | URL | string, init: RequestInit | undefined): Request {
  if (!isRequest(input)) return new Request(new URL(input, ownAddress), withoutSignal(init));
  const request = ownRequest(input, ownAddress);
  if (init === undefined && (request !== input || request.body === null)) return request;
  return new Request(request, withoutSignal(init));
}

/** Without the signal, which is used directly: a request takes no signal of another realm. */
function withoutSignal(init: RequestInit | undefined): RequestInit | undefined {
  return isSignal(init?.signal) && Object.hasOwn(init, "signal") ? { ...init, signal: null } : init;
}

/** Answers requests as the global `fetch` does. */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/** A `fetch` that an emulator answers: the same arguments, result and errors as the global one. */
export function fetchFrom(core: Core, source: CallSource): Fetch {
  return async (input, init) => {
    const request = requestOf(input, init);
    const signal = callersSignal(request, input, init);
    signal.throwIfAborted();
    const call = callFromRequest(request, { bodyLimit: core.settings.bodyLimit, signal });
    const client = new WaitingClient(signal);
    const handled = core.handle(call, { ...source, client });
    const exchange = handled instanceof Promise ? await client.during(handled) : handled;
    const { waitMs = 0 } = exchange;
    const waited = waitMs === 0 || (await wait(waitMs, signal, presentTimers));
    if (!waited || signal.aborted) {
      exchange.settle({ chunksSent: 0, aborted: true });
      signal.throwIfAborted();
    }
    return responseFromExchange(exchange, signal, {
      client,
      isHead: request.method === "HEAD",
    });
  };
}

/** A fetch request as the core sees it. Its body is read on demand. */
export function callFromRequest(
  request: Request,
  { bodyLimit, signal }: { readonly bodyLimit: number; readonly signal: AbortSignal },
): Call {
  const url = parseAddress(request.url);
  let body: Promise<CallBody> | undefined;
  const call: Call & { received: Uint8Array | undefined } = {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    headers: headersOf(request, url),
    readBody: (limit = bodyLimit) => (body ??= readNow(limit)),
    received: undefined,
    signal,
  };
  const readNow = async (limit: number): Promise<CallBody> => {
    const read = await readWithin(request, limit);
    if (read.kind === "bytes") call.received = read.bytes;
    return read;
  };
  return call;
}

/** Without a prototype, so that no unsent header is found. */
function headersOf(request: Request, { host }: URL): CallHeaders {
  const headers: Record<string, string | undefined> = Object.create(null);
  // Browsers and Node leave this header out.
  headers["host"] = host;
  for (const [name, value] of request.headers) headers[name] = value;
  return headers;
}

/** Reads a body of at most `limit` bytes. */
async function readWithin(request: Request, limit: number): Promise<CallBody> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) {
    return { kind: "too-large", limit };
  }
  if (request.body === null) return { kind: "bytes", bytes: new Uint8Array() };
  const reader = request.body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { kind: "bytes", bytes: joinBytes(parts) };
      size += value.byteLength;
      if (size > limit) {
        void reader.cancel().catch(() => undefined);
        return { kind: "too-large", limit };
      }
      parts.push(value);
    }
  } catch {
    return { kind: "aborted" };
  }
}

const encoder = new TextEncoder();

export interface ResponseOptions {
  readonly client: WaitingClient;
  readonly isHead: boolean;
}

/**
 * A reply as a fetch response. A stream plays while it is read; `signal` or a cancelled reader stops it. A reply
 * without an answer rejects like a broken connection, or waits for `signal`.
 */
export function responseFromExchange(
  exchange: AnsweredExchange,
  signal: AbortSignal,
  { client, isHead }: ResponseOptions,
): Promise<Response> | Response {
  const { status, headers, body } = exchange.reply;
  if (body.kind === "no-answer") return noResponse(body.how, exchange, { client, signal });
  const statusText = reasonPhrase(status);
  const init = { status, statusText, headers: headerLines(headers) };
  if ((body.kind === "stream" || body.kind === "live") && !isHead) {
    const source = body.kind === "live" ? liveSource(body) : playedAlone(body.stream);
    const stream = readableFrom(source, exchange, { client, signal });
    // Like node:http, say that the body is chunked: without the header, msw 3 takes a broken body for a complete one.
    return new Response(stream, {
      status,
      statusText,
      headers: headerLines({ "transfer-encoding": "chunked", ...headers }),
    });
  }
  if (isHead || body.kind === "none" || body.kind === "stream" || body.kind === "live") {
    exchange.settle({ chunksSent: 0, aborted: false });
    return new Response(null, init);
  }
  const bytes = body.kind === "text" ? encoder.encode(body.text) : new Uint8Array(body.bytes);
  exchange.settle({ chunksSent: 0, bytes: bytes.byteLength, aborted: false });
  return new Response(body.kind === "text" ? body.text : bytes, init);
}

/** The client that waits for an answer, and the signal that aborts when it has gone. */
interface Waiting extends Pick<ResponseOptions, "client"> {
  readonly signal: AbortSignal;
}

function noResponse(
  how: Silence,
  exchange: AnsweredExchange,
  { client, signal }: Waiting,
): Promise<Response> {
  if (how === "reset") {
    exchange.settle({ chunksSent: 0, aborted: false });
    return Promise.reject(brokenConnection("fetch failed"));
  }
  client.hold();
  return new Promise((_, reject) => {
    const abort = (): void => {
      client.letGo();
      exchange.settle({ chunksSent: 0, aborted: true });
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
  });
}

type LiveBody = Extract<ReplyBody, { readonly kind: "live" }>;

/** The producer of a stream. */
interface StreamSource {
  readonly play: (sink: Sink) => Playback;
  /** The total number of frames. */
  readonly frameCount: number;
  /** How much is written ahead of the reader. */
  readonly ahead: QueuingStrategy<Uint8Array>;
  /**
   * How many milliseconds it takes to send everything to a client that reads at once. Infinite: the stream never ends
   * by itself.
   */
  readonly lastsMs: number;
}

function playedAlone(stream: EventStream): StreamSource {
  const { frames, end } = stream;
  return {
    play: (sink) => playAlone(stream, sink, presentTimers),
    frameCount: frames.length,
    ahead: { highWaterMark: 1 },
    lastsMs: end.how === "hang" ? Infinity : end.at,
  };
}

/** The buffer has no limit, like a socket's, so that a slow reader loses nothing; its size is not counted. */
function liveSource({ play, isFinite }: LiveBody): StreamSource {
  const ahead = { highWaterMark: 65_536, size: ({ byteLength }: Uint8Array) => byteLength };
  return { play, frameCount: 0, ahead, lastsMs: isFinite === true ? 0 : Infinity };
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** Ends a body, but not before all data ahead of the end has been read. */
function endNow(how: StreamEnd | "drop", controller: Controller): void {
  if (how === "close") controller.close();
  if (how === "drop") controller.error(brokenConnection("terminated"));
}

/** A byte stream that its source fills. It waits while nobody reads. */
function readableFrom(
  source: StreamSource,
  exchange: AnsweredExchange,
  { client, signal }: Waiting,
): ReadableStream<Uint8Array> {
  const open = new OpenBody(client, source.lastsMs);
  let playback: Playback | undefined;
  let stopListening: (() => void) | undefined;
  let isBroken = false;
  let bytesStreamed = 0;
  function settle(aborted: boolean): void {
    stopListening?.();
    open.end();
    if (aborted) playback?.stop();
    const chunksSent = playback?.framesSent() ?? source.frameCount;
    exchange.settle({ chunksSent, bytes: bytesStreamed, aborted });
  }
  /**
   * Breaks the body once everything before the break has been read, since an error discards unread data. This waits for
   * another turn of the event loop: readers pass chunks on through streams of their own, which the error would empty,
   * too.
   */
  function breakWhenRead(controller: Controller): void {
    if (!isBroken || controller.desiredSize !== 1) return;
    isBroken = false;
    runtimeTimers.set(() => controller.error(brokenConnection("terminated")), 0);
  }
  function finish(how: StreamEnd | "drop", controller: Controller): void {
    if (how === "hang") return;
    settle(false);
    endNow(how, controller);
    isBroken = how === "reset";
    breakWhenRead(controller);
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const abort = (): void => {
          settle(true);
          controller.error(signal.reason);
        };
        signal.addEventListener("abort", abort);
        stopListening = () => signal.removeEventListener("abort", abort);
        playback = source.play({
          write: writerInto(controller, (size) => {
            bytesStreamed += size;
            open.follow(controller);
          }),
          finish: (how) => finish(how, controller),
        });
        // Msw 3 passes a response on with its first chunk. This empty chunk triggers that when no frame is due at the
        // start.
        if (playback.framesSent() === 0 && !open.isOver) controller.enqueue(new Uint8Array());
        open.follow(controller);
      },
      pull(controller) {
        playback?.resume();
        breakWhenRead(controller);
        open.follow(controller);
      },
      cancel() {
        settle(true);
      },
    },
    source.ahead,
  );
}

function writerInto(controller: Controller, wrote: (bytes: number) => void): Sink["write"] {
  return (data) => {
    const bytes = typeof data === "string" ? encoder.encode(data) : data;
    controller.enqueue(bytes);
    wrote(bytes.byteLength);
    return (controller.desiredSize ?? 0) > 0;
  };
}

const resets = new WeakSet<object>();

/**
 * The error of `fetch` for a broken connection, before the answer's head or in its body. Some clients compare undici's
 * messages; others decide by the cause's code whether to retry.
 */
function brokenConnection(message: "fetch failed" | "terminated"): TypeError {
  const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  const error = new TypeError(message, { cause });
  resets.add(error);
  return error;
}

/** Whether an error is the simulated break of a connection, and so not a failure of the emulator. */
export function isBrokenConnection(error: unknown): boolean {
  return typeof error === "object" && error !== null && resets.has(error);
}
