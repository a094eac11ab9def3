import type { EventStream } from "../../http/event-stream.ts";
import type { Completion, Step } from "../completion/completion.ts";
import { StreamDraft } from "./draft-stream.ts";
import { faultyStream, placeFault } from "./faulty-stream.ts";
import { mergeTimelines } from "./merge-timelines.ts";
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
  const { fault } = completion;
  const { frames, faults } = draftStream(completion, options);
  if (fault !== undefined) return faultyStream(frames, [placeFault(fault, frames), ...faults]);
  if (faults.length > 0) return faultyStream(frames, faults);
  return { frames, end: { how: "close", at: frames.at(-1)?.at ?? 0 } };
}

function draftStream(completion: Completion, { random, ...options }: StreamOptions): StreamDraft {
  const timelines = timelinesOf(completion, random);
  const draft = new StreamDraft(completion, { ...options, timelines });
  const [only] = timelines;
  if (only !== undefined && timelines.length === 1) {
    for (const { at, piece } of only.pieces) draft.add(at, 0, piece);
  } else {
    for (const { at, index, piece } of mergeTimelines(timelines)) draft.add(at, index, piece);
  }
  draft.finish(Math.max(...timelines.map(({ end }) => end)));
  return draft;
}

/** The timeline of each choice. Choices that say the same come at the same times. */
function timelinesOf({ choices, pace }: Completion, random: () => number): readonly Timeline[] {
  const most = Math.max(1, Math.floor(mostPieces / choices.length));
  const known = new Map<readonly Step[], Timeline>();
  return choices.map(({ steps }) => {
    const timeline = known.get(steps) ?? timelineOf(steps, pace, { random, mostPieces: most });
    known.set(steps, timeline);
    return timeline;
  });
}
