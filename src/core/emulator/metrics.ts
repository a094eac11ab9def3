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

/** How often which times occurred. */
export class Histogram {
  /** How many were in each bucket and in none before it; the last one has no bound. */
  readonly counts: number[] = [...bucketsMs.map(() => 0), 0];
  sumMs = 0;

  add(ms: number): void {
    let bucket = 0;
    // Within the array: a stream of 50 tokens takes 1.3 µs, and 3 if one of its reads goes beyond the end.
    while (bucket < bucketsMs.length && ms > (bucketsMs[bucket] ?? 0)) bucket++;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sumMs += ms;
  }
}

/** An exchange that is over. */
interface Ended {
  readonly of: InterfaceName;
  readonly reply: Reply;
  /** When the reply was ready, in milliseconds after the call's arrival. */
  readonly readyMs: number;
  readonly chunksSent: number;
  readonly ended: string;
  readonly slot: Slot | undefined;
}

/** What an emulator has answered since it was made, over all sessions. Written by each request, so it only counts. */
export class Metrics {
  /** Requests by their status, for each interface. */
  readonly requests: ReadonlyMap<InterfaceName, Map<number, number>> = new Map(
    interfaceNames.map((name) => [name, new Map()]),
  );
  /** Streams that are over, by how they ended. */
  readonly streams: Map<string, number> = new Map();
  streamsBegun = 0;
  /** Chats refused because too many ran and waited. */
  refused = 0;
  readonly queue: Histogram = new Histogram();
  readonly firstToken: Histogram = new Histogram();
  readonly betweenTokens: Histogram = new Histogram();

  end({ of, reply, readyMs, chunksSent, ended, slot }: Ended): void {
    const statuses = this.requests.get(of);
    if (statuses !== undefined) countOne(statuses, reply.status);
    if (slot !== undefined) {
      if (slot.refusal === undefined) this.queue.add(slot.queuedMs);
      else if (ended === "refused") this.refused += 1;
    }
    if (reply.body.kind !== "stream") return;
    countOne(this.streams, ended);
    this.#addTokens(reply.body.stream, chunksSent, readyMs + (reply.delayMs ?? 0));
  }

  /** Counts when tokens were sent, or else planned. `startMs` is the stream's start after the call's arrival. */
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
