import type { EventStream, StreamEnd } from "../http/event-stream.ts";
import type { MaybePromise } from "../http/maybe-promise.ts";
import type { Silence } from "../http/reply.ts";
import type { Playback, Scheduler, Sink } from "../http/scheduler.ts";
import { brokenConnection } from "./broken-connection.ts";
import { runtimeTimers } from "./environment.ts";
import type { Exchange } from "./exchange.ts";

const encoder = new TextEncoder();

/**
 * A reply as a fetch response. A stream is played while it is read; `signal` or a cancelled reader stops it. Where
 * there is no answer it rejects, as a fetch does whose connection breaks, or waits for `signal`.
 */
export function responseFromExchange(
  exchange: Exchange,
  signal: AbortSignal,
  { scheduler, isHead }: { readonly scheduler: Scheduler; readonly isHead: boolean },
): MaybePromise<Response> {
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
  function finish(how: StreamEnd, controller: Controller): void {
    if (how === "hang") return void waitedFor.add(signal);
    settle(false);
    isOver = true;
    if (how === "close") controller.close();
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
