import type { IncomingMessage } from "node:http";
import type { StreamEnd } from "../../core/http/event-stream.ts";
import type { Playback, Sink } from "../../core/http/scheduler.ts";
import type { UpstreamTape } from "./upstream-tape.ts";

/** What a body is passed on by. */
export interface PassingOptions {
  readonly tape: UpstreamTape;
  /** Milliseconds since the request was sent. */
  readonly elapsed: () => number;
  /** Told once, when nothing more comes of it. */
  readonly over: () => void;
}

/** How much is read before somebody takes it, in bytes. */
const readAhead = 1_000_000;

/**
 * Passes a body on as it comes. It is read at once, so that a planned latency changes no time, and that what came before
 * a break is not lost; but no more than the client takes. Where the client goes, so does the service's connection.
 */
export class PassedBody implements Playback {
  readonly #response: IncomingMessage;
  readonly #options: PassingOptions;
  #sink: Sink | undefined;
  /** What is to be passed on: of this turn, or of all before there was a sink. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** What came in this turn. */
  #fresh: Buffer[] = [];
  #freshAt = 0;
  #passed = 0;
  /** How it ended. Undefined: it did not yet. */
  #end: StreamEnd | undefined;
  #isStopped = false;

  constructor(response: IncomingMessage, options: PassingOptions) {
    this.#response = response;
    this.#options = options;
    const breakOff = (): void => this.#finish("reset");
    response
      .on("data", (bytes: Buffer) => this.#take(bytes))
      .once("end", () => this.#finish(response.complete ? "close" : "reset"))
      .once("error", breakOff)
      .once("close", breakOff);
  }

  play(sink: Sink): Playback {
    this.#sink = sink;
    this.#note();
    if (this.#passOn(sink)) this.#response.resume();
    // Behind the head, which the front sends once this returns.
    if (this.#end !== undefined) queueMicrotask(() => this.#tellEnd());
    return this;
  }

  framesSent(): number {
    return this.#passed;
  }

  resume(): void {
    this.#response.resume();
  }

  /** The client has gone. */
  stop(): void {
    this.#isStopped = true;
    if (this.#end !== undefined) return;
    this.#end = "reset";
    this.#note();
    const { tape, elapsed, over } = this.#options;
    over();
    tape.end("left", elapsed());
    this.#response.destroy();
  }

  #take(bytes: Buffer): void {
    if (this.#end !== undefined) return;
    if (this.#fresh.length === 0) {
      this.#freshAt = this.#options.elapsed();
      // One read of the connection may bring hundreds of small pieces. Passed on one by one they take ten times as long.
      process.nextTick(() => this.#turn());
    }
    this.#fresh.push(bytes);
  }

  /** What came in a turn goes out in one piece, and is noted so. */
  #turn(): void {
    this.#note();
    if (this.#sink !== undefined) this.#passOn(this.#sink);
    else if (this.#waitingBytes >= readAhead) this.#response.pause();
  }

  /** False: the sink is full. */
  #passOn(sink: Sink): boolean {
    if (this.#waiting.length === 0 || this.#isStopped) return true;
    const bytes = joined(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#passed += 1;
    const goesOn = sink.write(bytes);
    if (!goesOn) this.#response.pause();
    return goesOn;
  }

  #note(): void {
    if (this.#fresh.length === 0) return;
    const bytes = joined(this.#fresh);
    this.#fresh = [];
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#options.tape.part(this.#freshAt, bytes);
  }

  #finish(how: StreamEnd): void {
    if (this.#end !== undefined) return;
    const { tape, elapsed, over } = this.#options;
    const atMs = elapsed();
    this.#note();
    if (this.#sink !== undefined) this.#passOn(this.#sink);
    this.#end = how;
    over();
    if (this.#sink !== undefined) this.#tellEnd();
    tape.end(how, atMs);
  }

  #tellEnd(): void {
    if (!this.#isStopped && this.#end !== undefined) this.#sink?.finish(this.#end);
  }
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}
