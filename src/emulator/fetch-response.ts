import type { EventStream } from "../http/event-stream.ts";
import type { Playback, Scheduler, Sink } from "../http/scheduler.ts";
import type { Exchange } from "./exchange.ts";

const encoder = new TextEncoder();

/** A reply as a fetch response. A stream is played while it is read; `signal` or a cancelled reader stops it. */
export function responseFromExchange(
  exchange: Exchange,
  signal: AbortSignal,
  { scheduler, isHead }: { readonly scheduler: Scheduler; readonly isHead: boolean },
): Response {
  const { status, headers, body } = exchange.reply;
  const init = { status, headers };
  if (body.kind === "stream" && !isHead) {
    return new Response(readableFrom(body.stream, exchange, { signal, scheduler }), init);
  }
  exchange.settle({ chunksSent: 0, aborted: false });
  if (isHead || body.kind === "none" || body.kind === "stream") return new Response(null, init);
  return new Response(body.kind === "text" ? body.text : new Uint8Array(body.bytes), init);
}

interface Playing {
  readonly signal: AbortSignal;
  readonly scheduler: Scheduler;
}

/** A byte stream that the scheduler fills; it waits while nobody reads. */
function readableFrom(
  stream: EventStream,
  exchange: Exchange,
  { signal, scheduler }: Playing,
): ReadableStream<Uint8Array> {
  let playback: Playback | undefined;
  let stopListening: (() => void) | undefined;
  function settle(aborted: boolean): void {
    stopListening?.();
    if (aborted) playback?.stop();
    exchange.settle({ chunksSent: playback?.framesSent() ?? stream.frames.length, aborted });
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const abort = (): void => {
        settle(true);
        controller.error(signal.reason);
      };
      signal.addEventListener("abort", abort);
      stopListening = () => signal.removeEventListener("abort", abort);
      playback = scheduler.play(stream, sinkInto(controller, settle));
    },
    pull() {
      playback?.resume();
    },
    cancel() {
      settle(true);
    },
  });
}

function sinkInto(
  controller: ReadableStreamDefaultController<Uint8Array>,
  settle: (aborted: boolean) => void,
): Sink {
  return {
    write(data) {
      controller.enqueue(typeof data === "string" ? encoder.encode(data) : data);
      return (controller.desiredSize ?? 0) > 0;
    },
    finish(how) {
      if (how === "hang") return;
      settle(false);
      if (how === "close") controller.close();
      else controller.error(new TypeError("The connection was reset."));
    },
  };
}
