import type { Step, Tempo } from "../completion/completion.ts";
import { layOut, type Timeline, type TimelineOptions } from "./timeline.ts";

interface Known {
  readonly pace: Tempo;
  readonly mostPieces: number | undefined;
  readonly timeline: Timeline;
}

/** The last timeline of each list of steps. Choices without templates have the same list for every request. */
const known = new WeakMap<readonly Step[], Known>();

/** Longer ones are laid out anew each time, which costs less than the memory to keep them. */
const mostKept = 1_000;

/**
 * Lays steps out in time, or finds how they were laid out before: streams of one script that are open at the same
 * time share their pieces. Where chance has a part in it, it is done anew.
 */
export function timelineOf(
  steps: readonly Step[],
  pace: Tempo,
  options: TimelineOptions,
): Timeline {
  if (pace.jitter !== undefined && pace.jitter !== 0) return layOut(steps, pace, options);
  const { mostPieces } = options;
  const before = known.get(steps);
  if (before !== undefined && before.mostPieces === mostPieces && isSame(before.pace, pace)) {
    return before.timeline;
  }
  const timeline = layOut(steps, pace, options);
  if (timeline.pieces.length <= mostKept) known.set(steps, { pace, mostPieces, timeline });
  return timeline;
}

/** Whether the next stream of these steps will have the very same timeline, if nothing else comes between. */
export function isKept(steps: readonly Step[], timeline: Timeline): boolean {
  return known.get(steps)?.timeline === timeline;
}

function isSame(left: Tempo, right: Tempo): boolean {
  return (
    left.by === right.by &&
    left.gapMs === right.gapMs &&
    left.firstTokenMs === right.firstTokenMs &&
    left.tokensPerSecond === right.tokensPerSecond &&
    left.tokenizer === right.tokenizer
  );
}
