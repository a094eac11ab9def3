import { parseAddress } from "./routes.ts";
import type { CallSource, Core } from "./core.ts";
import { runtimeTimers, wait } from "./environment.ts";
import type { Call, CallBody, CallHeaders } from "../http/call.ts";
import type { EventStream, StreamEnd } from "../http/event-stream.ts";
import type { Silence } from "../http/reply.ts";
import type { Playback, Scheduler, Sink } from "../http/scheduler.ts";
import type { Exchange } from "./exchange.ts";

/** Relative addresses are below this one, so that an app's `fetch("/rest/users")` works unchanged. */
const ownAddress = "http://localhost";

/**
 * Keeps a request for as long as its signal is in use: the signal follows the one that the request was made with
 * only while the request itself is referenced.
 */
const requestsBySignal = new WeakMap<AbortSignal, Request>();

/** The caller's own signal, so that nothing needs to follow it. */
function callersSignal(
  request: Request,
  input: Request | URL | string,
  init: RequestInit | undefined,
): AbortSignal {
  if (init?.signal) return init.signal;
  const origin = typeof input === "object" && "signal" in input ? input : request;
  requestsBySignal.set(origin.signal, origin);
  return origin.signal;
}

/** What is fetched, by whom. */
export interface FetchCall extends CallSource {
  readonly input: Request | URL | string;
  readonly init?: RequestInit | undefined;
}

/** Answers a request as the global `fetch` does: its arguments, its result, its errors. */
export async function fetchFrom(core: Core, fetched: FetchCall): Promise<Response> {
  const { input, init, session, inProcess } = fetched;
  const target = typeof input === "string" ? new URL(input, ownAddress) : input;
  const request = new Request(target, init);
  const signal = callersSignal(request, input, init);
  signal.throwIfAborted();
  const call = callFromRequest(request, { bodyLimit: core.settings.bodyLimit, signal });
  const exchange = await core.handle(call, { session, inProcess });
  const { delayMs = 0 } = exchange.reply;
  const waited = delayMs === 0 || (await wait(delayMs, signal, runtimeTimers));
  if (!waited || signal.aborted) {
    exchange.settle({ chunksSent: 0, aborted: true });
    signal.throwIfAborted();
  }
  return responseFromExchange(exchange, signal, {
    scheduler: core.scheduler,
    isHead: request.method === "HEAD",
  });
}

/** A fetch request as the core sees it. Its body is read only when the core asks for it. */
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

/** Without a prototype, so that no header is found that was not sent. */
function headersOf(request: Request, { host }: URL): CallHeaders {
  const headers: Record<string, string | undefined> = Object.create(null);
  // The runtimes of browsers and Node leave it out.
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
      if (done) return { kind: "bytes", bytes: join(parts, size) };
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

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.byteLength;
  }
  return joined;
}

const encoder = new TextEncoder();

/**
 * A reply as a fetch response. A stream is played while it is read; `signal` or a cancelled reader stops it. Where
 * there is no answer it rejects, as a fetch does whose connection breaks, or waits for `signal`.
 */
export function responseFromExchange(
  exchange: Exchange,
  signal: AbortSignal,
  { scheduler, isHead }: { readonly scheduler: Scheduler; readonly isHead: boolean },
): Promise<Response> | Response {
  const { status, headers, body } = exchange.reply;
  if (body.kind === "no-answer") return noResponse(body.how, exchange, signal);
  const init = { status, headers };
  if ((body.kind === "stream" || body.kind === "live") && !isHead) {
    const source = body.kind === "live" ? liveSource(body) : playedBy(scheduler, body.stream);
    const stream = readableFrom(source, exchange, signal);
    // As node:http says it. Without it msw 3 takes a body that breaks for one that ends.
    return new Response(stream, {
      status,
      headers: { "transfer-encoding": "chunked", ...headers },
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

/**
 * Signals of those who wait for what never comes. A signal that follows another one is only weakly held by it, and
 * with nothing else in sight it would be collected before it could tell that the client has gone.
 */
const waitedFor = new Set<AbortSignal>();

function noResponse(how: Silence, exchange: Exchange, signal: AbortSignal): Promise<Response> {
  if (how === "reset") {
    exchange.settle({ chunksSent: 0, aborted: false });
    return Promise.reject(brokenConnection("head"));
  }
  return new Promise((_, reject) => {
    waitedFor.add(signal);
    const abort = (): void => {
      waitedFor.delete(signal);
      exchange.settle({ chunksSent: 0, aborted: true });
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
  });
}

/** What fills a stream. */
interface StreamSource {
  readonly play: (sink: Sink) => Playback;
  /** How many frames there are in all. */
  readonly frameCount: number;
  /** How much is written ahead of the reader. */
  readonly ahead: QueuingStrategy<Uint8Array>;
}

function playedBy(scheduler: Scheduler, stream: EventStream): StreamSource {
  const { length: frameCount } = stream.frames;
  return { play: (sink) => scheduler.play(stream, sink), frameCount, ahead: { highWaterMark: 1 } };
}

/** As much as a socket takes, so that who reads now and then loses nothing. Nobody asks how long it was in all. */
function liveSource({ play }: Pick<StreamSource, "play">): StreamSource {
  const ahead = { highWaterMark: 65_536, size: ({ byteLength }: Uint8Array) => byteLength };
  return { play, frameCount: 0, ahead };
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** Ends a body at once, unless what came before has to be read first. */
function endNow(how: StreamEnd | "drop", controller: Controller): void {
  if (how === "close") controller.close();
  if (how === "drop") controller.error(brokenConnection("body"));
}

/** A byte stream that its source fills; that waits while nobody reads. */
function readableFrom(
  source: StreamSource,
  exchange: Exchange,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let playback: Playback | undefined;
  let stopListening: (() => void) | undefined;
  let isBroken = false;
  let isOver = false;
  let bytesStreamed = 0;
  function settle(aborted: boolean): void {
    stopListening?.();
    if (aborted) playback?.stop();
    const chunksSent = playback?.framesSent() ?? source.frameCount;
    exchange.settle({ chunksSent, bytes: bytesStreamed, aborted });
  }
  /**
   * Breaks the body once all that came before has been read: an error takes what is unread with it. Not in the same
   * turn: readers hand chunks on through streams of their own, which an error would empty too.
   */
  function breakWhenRead(controller: Controller): void {
    if (!isBroken || controller.desiredSize !== 1) return;
    isBroken = false;
    runtimeTimers.set(() => controller.error(brokenConnection("body")), 0);
  }
  function finish(how: StreamEnd | "drop", controller: Controller): void {
    if (how === "hang") return void waitedFor.add(signal);
    settle(false);
    isOver = true;
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
        stopListening = () => {
          waitedFor.delete(signal);
          signal.removeEventListener("abort", abort);
        };
        playback = source.play({
          write: writerInto(controller, (size) => {
            bytesStreamed += size;
          }),
          finish: (how) => finish(how, controller),
        });
        // Msw 3 hands a response on with its first chunk. This one has it do so when nothing is due at the start.
        if (playback.framesSent() === 0 && !isOver) controller.enqueue(new Uint8Array());
      },
      pull(controller) {
        playback?.resume();
        breakWhenRead(controller);
      },
      cancel() {
        settle(true);
      },
    },
    source.ahead,
  );
}

function writerInto(controller: Controller, count: (bytes: number) => void): Sink["write"] {
  return (data) => {
    const bytes = typeof data === "string" ? encoder.encode(data) : data;
    count(bytes.byteLength);
    controller.enqueue(bytes);
    return (controller.desiredSize ?? 0) > 0;
  };
}

/** Where the connection breaks: before the answer's head, or in its body. */
type Place = "head" | "body";

/** The messages that undici's fetch has for them, which some clients compare. */
const messages: Readonly<Record<Place, string>> = { head: "fetch failed", body: "terminated" };

const resets = new WeakSet<object>();

/** What `fetch` fails with when a connection breaks. Clients look at the cause's code to tell whether to try again. */
export function brokenConnection(place: Place): TypeError {
  const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  const error = new TypeError(messages[place], { cause });
  resets.add(error);
  return error;
}

/** Whether an error is one of these, and so no failure of the emulator. */
export function isBrokenConnection(error: unknown): boolean {
  return typeof error === "object" && error !== null && resets.has(error);
}
