import type { Dispatcher } from "undici";
import type { StreamEnd } from "../../../core/http/event-stream.ts";
import type { Playback, Sink } from "../../../core/http/scheduler.ts";
import type { ExchangeRecording } from "./exchange-recording.ts";

export const clientLeft: Error = new Error("The client has left.");

/** How much of a body is read ahead of its reader, in bytes. */
const readAhead = 1_000_000;

/**
 * Passes a body on as it arrives. It reads from the start, so that a planned latency changes no recorded times and no
 * data before a break is lost, but no more than the client takes. When the client leaves, the connection to the service
 * is closed.
 */
export class PassedBody implements Playback {
  readonly #controller: Dispatcher.DispatchController;
  readonly #recording: ExchangeRecording;
  readonly #elapsed: () => number;
  #sink: Sink | undefined;
  /** Data that arrived before the client's sink was known. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Data that arrived in this turn of the event loop. */
  #fresh: Buffer[] = [];
  #freshAt = 0;
  #passed = 0;
  /** Undefined until the body ends. */
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
      // One read from the connection may bring hundreds of chunks, and passing them on one by one takes ten times as
      // long.
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
    // The front sends the head after this returns, and only then the end.
    if (end !== undefined) queueMicrotask(() => sink.finish(end));
    return this;
  }

  framesSent(): number {
    return this.#passed;
  }

  resume(): void {
    if (this.#end === undefined) this.#controller.resume();
  }

  /** Called when the client has left. */
  stop(): void {
    if (this.#end !== undefined) return;
    this.#sink = undefined;
    this.#passTurn();
    this.#end = "reset";
    this.#recording.end("left", this.#elapsed());
    this.#controller.abort(clientLeft);
  }

  /** Passes on the data of one turn in one piece, which is also recorded as one part. */
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

  /** Returns false if the client cannot take more for now. */
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
