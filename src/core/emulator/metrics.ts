import type { EventStream } from "../http/event-stream.ts";
import type { Reply } from "../http/reply.ts";
import type { Slot } from "../chat/load.ts";
import { type InterfaceName, interfaceNames } from "../interface.ts";

/** The upper bounds of the buckets of all histograms, in milliseconds. */
export const bucketsMs: readonly number[] = [1, 10, 100, 1000, 10_000].flatMap((ms) => [
  ms,
  ms * 2.5,
  ms * 5,
]);

/** Counts durations by bucket. */
export class Histogram {
  /** The count of each bucket alone, not of those below it. The last bucket has no upper bound. */
  readonly counts: number[] = [...bucketsMs.map(() => 0), 0];
  sumMs = 0;

  add(ms: number): void {
    let bucket = 0;
    // The bound check keeps reads within the array: one read beyond its end makes 50 tokens take 3 µs instead of 1.3.
    while (bucket < bucketsMs.length && ms > (bucketsMs[bucket] ?? 0)) bucket++;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sumMs += ms;
  }
}

/** An exchange that is over. */
interface Ended {
  readonly of: InterfaceName;
  readonly reply: Reply;
  /** When the head of the reply was sent, in milliseconds after the call's arrival. */
  readonly headMs: number;
  readonly chunksSent: number;
  readonly ended: string;
  readonly slot: Slot | undefined;
}

/**
 * Counts what an emulator has answered since it was created, over all sessions. Each request writes to these, so they
 * must be cheap.
 */
export class Metrics {
  /** Requests by their status, for each interface. */
  readonly requests: ReadonlyMap<InterfaceName, Map<number, number>> = new Map(
    interfaceNames.map((name) => [name, new Map()]),
  );
  /** Streams that are over, by how they ended. */
  readonly streams: Map<string, number> = new Map();
  streamsBegun = 0;
  /** Chats that were refused because too many were running and waiting. */
  refused = 0;
  readonly queue: Histogram = new Histogram();
  readonly firstToken: Histogram = new Histogram();
  readonly betweenTokens: Histogram = new Histogram();

  end({ of, reply, headMs, chunksSent, ended, slot }: Ended): void {
    const statuses = this.requests.get(of);
    if (statuses !== undefined) countOne(statuses, reply.status);
    if (slot !== undefined) {
      if (slot.refusal === undefined) this.queue.add(slot.queuedMs);
      else if (ended === "refused") this.refused += 1;
    }
    if (reply.body.kind !== "stream") return;
    countOne(this.streams, ended);
    this.#addTokens(reply.body.stream, chunksSent, headMs);
  }

  /**
   * Counts the times at which tokens were sent, or, where that is unknown, planned. `startMs` is when the stream
   * started, counted from the call's arrival.
   */
  #addTokens({ frames, sent }: EventStream, chunksSent: number, startMs: number): void {
    const times = sent?.ms;
    let before = -1;
    for (let place = 0; place < chunksSent; place++) {
      const frame = frames[place];
      if (frame === undefined || frame.isToken !== true) continue;
      const at = times?.[place] ?? frame.at;
      if (before < 0) this.firstToken.add(startMs + at);
      else this.betweenTokens.add(at - before);
      before = at;
    }
  }
}

function countOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
