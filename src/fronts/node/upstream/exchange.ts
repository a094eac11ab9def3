import type { Dispatcher, Pool } from "undici";
import { ownReply } from "../../../core/emulator/own-replies.ts";
import type { UpstreamCall } from "../../../core/emulator/backends.ts";
import type { StreamEnd } from "../../../core/http/event-stream.ts";
import { noAnswer, type Reply, type ReplyHeaders } from "../../../core/http/reply.ts";
import type { Playback, Sink, Timers } from "../../../core/http/scheduler.ts";
import type { ExchangeRecording } from "./exchange-recording.ts";
import { headersForUpstream, headersOfUpstream } from "./headers.ts";

/** A real service, and the connections to it. */
export interface UpstreamService {
  /** Its address, for messages. */
  readonly shown: string;
  /** Connections that are kept for further requests. */
  readonly kept: Pool;
  /** One connection per request, closed after its answer. */
  readonly single: Pool;
  /** The full path for one below the interface's mount point. */
  readonly pathFor: (path: string, query: string) => string;
}

/** What an exchange with a service needs. */
export interface UpstreamExchangeOptions {
  readonly asked: UpstreamCall;
  readonly service: UpstreamService;
  readonly body: Uint8Array;
  readonly recording: ExchangeRecording;
  readonly timers: Timers;
}

/** Answers with these statuses have no body, whatever their head says (RFC 9110, 6.4.1). */
const bodiless: readonly number[] = [204, 205, 304];

/** How much of a body is read ahead of its reader, in bytes. */
const readAhead = 1_000_000;

const answeredBy = "upstream";

/** A request to a service, and its answer. */
export class UpstreamExchange implements Dispatcher.DispatchHandler {
  readonly #options: UpstreamExchangeOptions;
  #resolve: (reply: Reply) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #sentAt: number;
  /** Whether the request uses a kept connection that may have ended, and may be sent again. */
  #mayRepeat = false;
  #isAnswered = false;
  #isLeft = false;
  #body: PassedBody | undefined;

  constructor(options: UpstreamExchangeOptions) {
    this.#options = options;
    this.#sentAt = options.timers.now();
  }

  /** Sends the request. Resolves when the head of the answer arrives, or when it is known that none will. */
  answer(): Promise<Reply> {
    const { asked, service } = this.#options;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      if (canRepeat(asked)) {
        this.#mayRepeat = service.kept.stats.free > 0;
        this.#send(service.kept);
      } else this.#send(service.single);
      const leave = (): void => this.#leave();
      const { signal } = asked.call;
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sentAt = this.#options.timers.now();
    if (this.#isLeft) controller.abort(clientLeft);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // Informational responses, such as 103 Early Hints.
    if (status < 200) return;
    const { asked, recording } = this.#options;
    const hasBody = asked.call.method !== "HEAD" && !bodiless.includes(status);
    const headers = headersOfUpstream(controller.rawHeaders as readonly Buffer[]);
    const elapsed = (): number => this.#elapsed();
    this.#isAnswered = true;
    recording.head({ status, headers, afterMs: elapsed(), hasBody });
    if (!hasBody) {
      recording.end("close", elapsed());
      const passed = withoutLength(status, headers);
      this.#resolve({ status, headers: passed, body: { kind: "none" }, answeredBy });
      return;
    }
    const body = new PassedBody(controller, { recording, elapsed });
    this.#body = body;
    const live = { kind: "live", play: (sink: Sink) => body.play(sink) } as const;
    // Data that arrived with the head is collected until then, and sent with it.
    process.nextTick(this.#resolve, { status, headers, body: live, answeredBy });
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Buffer): void {
    this.#body?.take(bytes);
  }

  onResponseEnd(): void {
    this.#body?.finish("close");
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isAnswered) this.#body?.finish("reset");
    else if (!this.#isLeft) this.#fail(error);
  }

  #elapsed(): number {
    return Math.max(0, this.#options.timers.now() - this.#sentAt);
  }

  #send(pool: Pool): void {
    const { asked, service, body } = this.#options;
    const { method, query, headers } = asked.call;
    const options: Dispatcher.DispatchOptions = {
      method,
      path: service.pathFor(asked.path, query),
      headers: headersForUpstream(headers),
      body: body.length === 0 ? null : body,
    };
    try {
      pool.dispatch(options, this);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #fail(error: NodeJS.ErrnoException): void {
    const { service, recording } = this.#options;
    const isBroken = this.#controller !== undefined && breaksOff(error);
    if (isBroken && this.#mayRepeat) {
      this.#mayRepeat = false;
      this.#controller = undefined;
      this.#send(service.single);
      return;
    }
    this.#isAnswered = true;
    if (isBroken) {
      recording.end("reset", this.#elapsed());
      this.#resolve({ ...noAnswer("reset"), answeredBy });
    } else this.#resolve(this.#refuse(reasonOf(error)));
  }

  #leave(): void {
    this.#isLeft = true;
    this.#body?.stop();
    if (this.#isAnswered) return;
    this.#options.recording.end("left", this.#elapsed());
    this.#controller?.abort(clientLeft);
    // Nobody is left to get it.
    this.#resolve(noAnswer("hang"));
  }

  #refuse(reason: string): Reply {
    const { asked, service, recording } = this.#options;
    recording.drop(`the service gave no answer: ${reason}`);
    return ownReply(asked, {
      status: 502,
      code: "upstream_failed",
      message: `The service at ${service.shown} gave no answer: ${reason}`,
    });
  }
}

const clientLeft = new Error("The client has left.");

/**
 * Passes a body on as it arrives. Reads at once, so that a planned latency changes no times and data before a break
 * is not lost, but no more than the client takes. When the client leaves, the service's connection is closed.
 */
class PassedBody implements Playback {
  readonly #controller: Dispatcher.DispatchController;
  readonly #recording: ExchangeRecording;
  readonly #elapsed: () => number;
  #sink: Sink | undefined;
  /** Data from before there was a sink. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Data of this turn of the event loop. */
  #fresh: Buffer[] = [];
  #freshAt = 0;
  #passed = 0;
  /** Undefined: it has not ended yet. */
  #end: StreamEnd | undefined;

  constructor(
    controller: Dispatcher.DispatchController,
    options: { readonly recording: ExchangeRecording; readonly elapsed: () => number },
  ) {
    this.#controller = controller;
    this.#recording = options.recording;
    this.#elapsed = options.elapsed;
  }

  take(bytes: Buffer): void {
    if (this.#end !== undefined) return;
    if (this.#fresh.length === 0) {
      this.#freshAt = this.#elapsed();
      // One read of the connection may bring hundreds of chunks. Passing them on one by one takes ten times as long.
      process.nextTick(() => this.#passTurn());
    }
    this.#fresh.push(bytes);
  }

  finish(how: StreamEnd): void {
    if (this.#end !== undefined) return;
    const atMs = this.#elapsed();
    this.#passTurn();
    this.#end = how;
    this.#sink?.finish(how);
    this.#recording.end(how, atMs);
  }

  play(sink: Sink): Playback {
    this.#passTurn();
    this.#sink = sink;
    const bytes = joined(this.#held);
    this.#held = [];
    if (bytes.length === 0 || this.#write(bytes)) this.resume();
    const end = this.#end;
    // After the head, which the front sends once this returns.
    if (end !== undefined) queueMicrotask(() => sink.finish(end));
    return this;
  }

  framesSent(): number {
    return this.#passed;
  }

  resume(): void {
    if (this.#end === undefined) this.#controller.resume();
  }

  /** The client has left. */
  stop(): void {
    if (this.#end !== undefined) return;
    this.#sink = undefined;
    this.#passTurn();
    this.#end = "reset";
    this.#recording.end("left", this.#elapsed());
    this.#controller.abort(clientLeft);
  }

  /** Data of one turn is sent in one piece, and recorded that way. */
  #passTurn(): void {
    if (this.#fresh.length === 0) return;
    const bytes = joined(this.#fresh);
    this.#fresh = [];
    this.#recording.part(this.#freshAt, bytes);
    if (this.#sink !== undefined) this.#write(bytes);
    else {
      this.#held.push(bytes);
      this.#heldBytes += bytes.length;
      if (this.#heldBytes >= readAhead) this.#controller.pause();
    }
  }

  /** False: the client takes no more for now. */
  #write(bytes: Buffer): boolean {
    this.#passed += 1;
    const goesOn = this.#sink?.write(bytes) ?? false;
    if (!goesOn) this.#controller.pause();
    return goesOn;
  }
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}

/**
 * Whether a request may be sent twice: because of its method, or because it asks for a completion, which changes
 * nothing.
 */
function canRepeat({ interface: asked, call }: UpstreamCall): boolean {
  return asked === "chat" || /^(?:GET|HEAD|OPTIONS|PUT|DELETE)$/.test(call.method);
}

/** An answer without content has no length, but node:http would send the one of an empty body. */
function withoutLength(status: number, headers: ReplyHeaders): ReplyHeaders {
  if (status !== 204) return headers;
  const { "content-length": _, ...others } = headers;
  return others;
}

/** Whether an existing connection ended, as opposed to bringing something other than HTTP. */
function breaksOff({ code = "", message }: NodeJS.ErrnoException): boolean {
  if (code === "UND_ERR_SOCKET") return message === "other side closed" || message === "closed";
  return ["ECONNRESET", "EPIPE", "ECONNABORTED"].includes(code);
}

/** If none of several addresses of a name could be reached, the reasons are inside. */
function reasonOf(error: Error): string {
  const inside: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const reason = inside instanceof Error ? inside : error;
  return reason.message === "" ? reason.name : reason.message;
}
