import { type EventStream, type StreamEnd, bytesOf } from "./event-stream.ts";
import { joinBytes } from "./bytes.ts";

/** The connection to which a front writes the bytes of a stream. */
export interface Sink {
  /** Takes one or more frames. False means full: write nothing until `resume` is called. */
  readonly write: (data: string | Uint8Array) => boolean;
  /**
   * Called once, after the last write, unless the playback was stopped. With `drop`, data that the client has not read
   * yet is discarded.
   */
  readonly finish: (how: StreamEnd | "drop") => void;
}

/** A stream that is being sent. */
export interface Playback {
  /** The number of frames given to the sink. */
  readonly framesSent: () => number;
  /** Continues after the sink was full. */
  readonly resume: () => void;
  /** Stops and drops the stream, for example when the client has gone. */
  readonly stop: () => void;
}

/**
 * A single write has at most this many characters or bytes, so that the rest can wait while the client does not read.
 */
const largestWrite = 65_536;

/** The longest JavaScript timer, in milliseconds; longer ones fire at once. */
export const longestWait: number = 2 ** 31 - 1;

/**
 * The longest pause between two wake-ups of the timer, in milliseconds. A wake-up costs about 50 µs, so with many
 * streams the timer does not fire for each of them: it pauses one millisecond per 32 streams, which takes a sixth less
 * CPU than a quarter of that.
 */
const longestRest = 8;
const streamsPerRest = 32;

/** The stream of an entry that has been stopped: nothing is left to send. */
export const nothing: EventStream = { frames: [], end: { how: "hang", at: 0 } };

/** How far a stream has been sent. */
export interface Sending {
  stream: EventStream;
  /** The frame to be sent next. */
  next: number;
}

interface Playing extends Sending {
  readonly sink: Sink;
  readonly start: number;
  /** When the next frame, or the end, is due. */
  due: number;
  state: "queued" | "full" | "over";
}

/**
 * Sends event streams with a single timer. Due times count from the start of each stream, so a late frame does not
 * delay later ones; late frames go out together.
 */
export class Scheduler {
  readonly #timers: Timers;
  readonly #queue: DueQueue<Playing> = new DueQueue();
  #alarm: unknown;
  /** When the timer fires; infinite when it is not set. */
  #alarmAt = Infinity;
  #lastRing = -Infinity;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Starts a stream. Frames due at its start are written before this returns. */
  play(stream: EventStream, sink: Sink): Playback {
    const start = this.#timers.now();
    const playing: Playing = { stream, sink, start, next: 0, due: start, state: "queued" };
    this.#advance(playing, start);
    this.#setAlarm();
    return {
      framesSent: () => playing.next,
      resume: () => this.#resume(playing),
      stop: () => this.#stop(playing),
    };
  }

  #resume(playing: Playing): void {
    if (playing.state !== "full") return;
    playing.state = "queued";
    this.#advance(playing, this.#timers.now());
    this.#setAlarm();
  }

  /**
   * Stops a stream. Its emptied entry stays in the queue until it is first, since removing it earlier needs a search.
   */
  #stop(playing: Playing): void {
    playing.state = "over";
    playing.stream = nothing;
    this.#dropFinished();
    this.#setAlarm();
  }

  /** Writes the due frames of one stream and queues the rest. */
  #advance(playing: Playing, now: number): void {
    const { stream, sink, start } = playing;
    for (;;) {
      const batch = takeDue(playing, (at) => start + at <= now, now - start);
      if (batch === undefined) break;
      const goesOn = sink.write(batch);
      if (playing.state === "over") return;
      if (!goesOn) {
        playing.state = "full";
        return;
      }
    }
    // The due time is always computed by this same sum: `at <= now - start` may round differently, and the timer would
    // fire for ever.
    playing.due = start + (stream.frames[playing.next]?.at ?? stream.end.at);
    // All due frames were written above, so the end of the stream is due.
    if (playing.due <= now) {
      playing.state = "over";
      sink.finish(stream.end.how);
      return;
    }
    playing.state = "queued";
    this.#queue.add(playing);
  }

  #dropFinished(): void {
    while (this.#queue.first()?.state === "over") this.#queue.takeFirst();
  }

  #ring(): void {
    this.#alarmAt = Infinity;
    const now = this.#timers.now();
    this.#lastRing = now;
    for (;;) {
      this.#dropFinished();
      const first = this.#queue.first();
      if (first === undefined || first.due > now) break;
      this.#queue.takeFirst();
      this.#advance(first, now);
    }
    this.#setAlarm();
  }

  #setAlarm(): void {
    const rest = Math.min(longestRest, this.#queue.size / streamsPerRest);
    const due = Math.max(this.#queue.first()?.due ?? Infinity, this.#lastRing + rest);
    if (due === this.#alarmAt) return;
    if (this.#alarmAt !== Infinity) this.#timers.clear(this.#alarm);
    this.#alarmAt = due;
    if (due === Infinity) return;
    const wait = Math.min(longestWait, Math.max(0, Math.ceil(due - this.#timers.now())));
    this.#alarm = this.#timers.set(() => this.#ring(), wait);
  }
}

/**
 * The data of all due frames that fit into one write; undefined when none is due. Reads the data of each frame only
 * once. `sentMs`: the time since the start of the stream.
 */
export function takeDue(
  sending: Sending,
  isDue: (at: number) => boolean,
  sentMs: number,
): string | Uint8Array | undefined {
  const { stream } = sending;
  let text = "";
  let parts: (string | Uint8Array)[] | undefined;
  const from = sending.next;
  let size = 0;
  for (; size < largestWrite; sending.next++) {
    const frame = stream.frames[sending.next];
    if (frame === undefined || !isDue(frame.at)) break;
    const data = bytesOf(frame, stream);
    size += data.length;
    if (parts === undefined && typeof data === "string") text += data;
    else (parts ??= [text]).push(data);
  }
  if (sending.next === from) return undefined;
  if (stream.sent !== undefined) {
    stream.sent.length += size;
    for (let frame = from; frame < sending.next; frame++) stream.sent.ms.push(sentMs);
  }
  return parts === undefined ? text : joinBytes(parts.map(toBytes));
}

const encoder = new TextEncoder();

function toBytes(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? encoder.encode(data) : data;
}

/** Something that is due at a time. */
export interface Due {
  readonly due: number;
}

/**
 * A binary heap with the earliest entry first: adding and removing take logarithmic time. Times are in an array of
 * their own: reading them from the entries costs 2,000 streams a tenth more CPU.
 */
export class DueQueue<Entry extends Due> {
  readonly #entries: Entry[] = [];
  /** The due time of each entry. */
  readonly #times: number[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** The earliest entry. */
  first(): Entry | undefined {
    return this.#entries[0];
  }

  /** Adds an entry with its current due time. */
  add(entry: Entry): void {
    const { due } = entry;
    let place = this.#entries.length;
    this.#entries.push(entry);
    this.#times.push(due);
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (this.#timeAt(above) <= due) break;
      this.#move(above, place);
      place = above;
    }
    this.#put(entry, due, place);
  }

  /** Removes the earliest entry. */
  takeFirst(): Entry | undefined {
    const first = this.#entries[0];
    const last = this.#entries.pop();
    const due = this.#times.pop();
    if (last !== undefined && due !== undefined && this.#entries.length > 0) this.#sink(last, due);
    return first;
  }

  /** Moves an entry down from the top until nothing below it is due earlier. */
  #sink(entry: Entry, due: number): void {
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const child = this.#timeAt(left + 1) < this.#timeAt(left) ? left + 1 : left;
      if (this.#timeAt(child) >= due) break;
      this.#move(child, place);
      place = child;
    }
    this.#put(entry, due, place);
  }

  /** The due time of an entry; infinite beyond the last one. */
  #timeAt(place: number): number {
    return place < this.#times.length ? (this.#times[place] ?? Infinity) : Infinity;
  }

  #move(from: number, to: number): void {
    const entry = this.#entries[from];
    if (entry !== undefined) this.#put(entry, this.#timeAt(from), to);
  }

  #put(entry: Entry, due: number, place: number): void {
    this.#entries[place] = entry;
    this.#times[place] = due;
  }
}

/** The clock and the alarm of a scheduler. Passed in, so that a test can move time by hand. */
export interface Timers {
  /** Monotonic milliseconds with an arbitrary zero. */
  readonly now: () => number;
  /** Calls `run` once, after at least `ms` milliseconds. */
  readonly set: (run: () => void, ms: number) => unknown;
  readonly clear: (handle: unknown) => void;
}
