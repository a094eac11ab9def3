import type { Piece, TimedPiece, Timeline } from "./timeline.ts";

/** A piece of one of several choices. */
export interface ChoicePiece extends TimedPiece {
  /** The choice's index. */
  readonly index: number;
}

/**
 * All choices in one, by time and else in turn. What belongs to no choice (comments, raw bytes, faults) comes once
 * where choices have the very same timeline.
 */
export function mergeTimelines(timelines: readonly Timeline[]): readonly ChoicePiece[] {
  const all = timelines.flatMap((timeline, index) => {
    const isRepeated = timelines.indexOf(timeline) < index;
    return timeline.pieces.flatMap(({ at, piece }, place) =>
      isRepeated && belongsToAll(piece) ? [] : [{ at, place, index, piece }],
    );
  });
  return all.toSorted(
    (left, right) => left.at - right.at || left.place - right.place || left.index - right.index,
  );
}

function belongsToAll({ kind }: Piece): boolean {
  return kind === "comment" || kind === "raw" || kind === "fault";
}
