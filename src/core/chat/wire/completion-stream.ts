import type { EventStream } from "../../http/event-stream.ts";
import { chunkHead, usageChunk } from "./chunk-writer.ts";
import type { Completion, Step, Usage } from "../completion/completion.ts";
import { type Draft, faultyStream, placeFault } from "./faulty-stream.ts";
import { draftOf } from "./known-drafts.ts";
import { timelineOf } from "./known-timelines.ts";
import type { Timeline } from "./timeline.ts";

/** What a stream depends on besides the completion. */
export interface StreamOptions {
  readonly includeUsage: boolean;
  readonly random: () => number;
  /** Times are divided by it; 0 means that everything is due at once. */
  readonly speed: number;
}

/** How many pieces a text is cut into at most, over all choices: each is an event of some 200 bytes. */
const mostPieces = 65_536;

/** A completion as a stream of server-sent events. Every fault that it has happens, whatever its probability. */
export function completionStream(completion: Completion, options: StreamOptions): EventStream {
  const { choices, fault, usage } = completion;
  const { random, ...others } = options;
  const drafted = draftOf(choices, { ...others, timelines: timelinesOf(completion, random) });
  const { faults } = drafted;
  const frames = options.includeUsage ? withUsage(drafted.frames, usage) : drafted.frames;
  const head = chunkHead(completion);
  if (fault === undefined && faults.length === 0) {
    return { frames, head, end: { how: "close", at: frames.at(-1)?.at ?? 0 } };
  }
  const all = fault === undefined ? faults : [placeFault(fault, frames), ...faults];
  return { ...faultyStream(frames, all), head };
}

/** The usage comes between the last chunk and `[DONE]`. */
function withUsage(frames: readonly Draft[], usage: Usage): readonly Draft[] {
  const at = frames.at(-1)?.at ?? 0;
  return frames.toSpliced(-1, 0, { kind: "chunk", at, data: usageChunk(usage), isHeaded: true });
}

/** The timeline of each choice. Choices that say the same come at the same times. */
function timelinesOf(completion: Completion, random: () => number): readonly Timeline[] {
  const { choices, pace, tokenizer } = completion;
  const tempo = { ...pace, tokenizer };
  const most = Math.max(1, Math.floor(mostPieces / choices.length));
  const known = new Map<readonly Step[], Timeline>();
  return choices.map(({ steps }) => {
    const timeline = known.get(steps) ?? timelineOf(steps, tempo, { random, mostPieces: most });
    known.set(steps, timeline);
    return timeline;
  });
}
