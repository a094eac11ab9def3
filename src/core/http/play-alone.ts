import type { EventStream } from "./event-stream.ts";
import {
  longestWait,
  nothing,
  type Playback,
  type Sending,
  type Sink,
  takeDue,
  type Timers,
} from "./scheduler.ts";

/** The most timers that a stream has set at the same time. */
const mostTimers = 1_000;

/**
 * Sends an event stream by timers of its own, set at its start, one for each time at which something is due. The timers
 * alone decide when a frame is sent: if a test installs fake timers or removes them, a stream keeps to those with which
 * it began, and no other stream waits for it. Frames due at the start are written before this returns.
 */
export function playAlone(stream: EventStream, sink: Sink, timers: Timers): Playback {
  return new LonePlayback(stream, sink, timers);
}

class LonePlayback implements Playback {
  readonly #sending: Sending;
  readonly #sink: Sink;
  readonly #timers: Timers;
  readonly #start: number;
  /** The time that the timers have counted, in milliseconds after the start. */
  #reached = 0;
  /** The first frame without a timer. The one after the last frame stands for the end. */
  #unset = 0;
  readonly #handles: Set<unknown> = new Set();
  #state: "flows" | "full" | "over" = "flows";

  constructor(stream: EventStream, sink: Sink, timers: Timers) {
    this.#sending = { stream, next: 0 };
    this.#sink = sink;
    this.#timers = timers;
    this.#start = timers.now();
    while (this.#hasUnset() && this.#timeOf(this.#unset) <= 0) this.#unset++;
    this.#setTimers();
    this.#advance();
  }

  readonly framesSent = (): number => this.#sending.next;

  readonly resume = (): void => {
    if (this.#state !== "full") return;
    this.#state = "flows";
    this.#advance();
  };

  readonly stop = (): void => {
    this.#state = "over";
    this.#sending.stream = nothing;
    for (const handle of this.#handles) this.#timers.clear(handle);
    this.#handles.clear();
  };

  #timeOf(place: number): number {
    const { frames, end } = this.#sending.stream;
    return frames[place]?.at ?? end.at;
  }

  #hasUnset(): boolean {
    return this.#unset <= this.#sending.stream.frames.length;
  }

  /** Sets the next timers. The last one to fire sets those after it. */
  #setTimers(): void {
    while (this.#hasUnset() && this.#handles.size < mostTimers) {
      const wait = this.#waitFor(this.#unset);
      if (wait > longestWait) {
        if (this.#handles.size === 0) this.#set(longestWait, this.#reached + longestWait);
        return;
      }
      let at = 0;
      // Timers count whole milliseconds.
      while (this.#hasUnset() && this.#waitFor(this.#unset) === wait)
        at = this.#timeOf(this.#unset++);
      this.#set(wait, at);
    }
  }

  #waitFor(place: number): number {
    return Math.ceil(this.#timeOf(place) - this.#reached);
  }

  #set(wait: number, at: number): void {
    const handle = this.#timers.set(() => {
      this.#handles.delete(handle);
      this.#reached = Math.max(this.#reached, at);
      if (this.#handles.size === 0) this.#setTimers();
      if (this.#state === "flows") this.#advance();
    }, wait);
    this.#handles.add(handle);
  }

  /** Writes what is due, and ends the stream after its last frame. */
  #advance(): void {
    const { stream } = this.#sending;
    for (;;) {
      // A runtime's timer may fire a part of a millisecond early.
      const sentMs = Math.max(this.#reached, this.#timers.now() - this.#start);
      const batch = takeDue(this.#sending, (at) => at <= this.#reached, sentMs);
      if (batch === undefined) break;
      const goesOn = this.#sink.write(batch);
      if (this.#state === "over") return;
      if (!goesOn) {
        this.#state = "full";
        return;
      }
    }
    const isSent = this.#sending.next === stream.frames.length;
    if (!isSent || stream.end.at > this.#reached) return;
    this.#state = "over";
    this.#sink.finish(stream.end.how);
  }
}
