/** A piece of a text, and what stands there instead. Ends are exclusive. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A part of a text. */
export type Span = Pick<Edit, "start" | "end">;

/**
 * Places in order, of which none overlaps another. Where some do, one takes all that they cover: the first to begin, and
 * of those the longest.
 */
export function apart<Place extends Span>(places: readonly Place[]): readonly Place[] {
  if (places.length < 2) return places;
  const sorted = places.toSorted((left, right) => left.start - right.start || right.end - left.end);
  const result: Place[] = [];
  for (const place of sorted) {
    const last = result.at(-1);
    if (last === undefined || place.start >= last.end) result.push(place);
    else if (place.end > last.end) result[result.length - 1] = { ...last, end: place.end };
  }
  return result;
}

/** Whether two places have a character in common. */
export function overlap(left: Span, right: Span): boolean {
  return left.start < right.end && right.start < left.end;
}

/** A text with its edits, which are in order and do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  let result = "";
  let end = 0;
  for (const edit of edits) {
    result += text.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return result + text.slice(end);
}

/** The same of a text that is in pieces: what stands instead goes where it begins, the rest of the place is taken out. */
export function editedPieces(pieces: readonly string[], edits: readonly Edit[]): readonly string[] {
  if (edits.length === 0) return pieces;
  let offset = 0;
  let next = 0;
  return pieces.map((piece) => {
    const start = offset;
    const end = start + piece.length;
    offset = end;
    const own: Edit[] = [];
    for (let index = next; index < edits.length; index++) {
      const edit = edits[index];
      if (edit === undefined || edit.start >= end) break;
      if (edit.end <= end) next = index + 1;
      own.push({
        start: Math.max(edit.start - start, 0),
        end: Math.min(edit.end, end) - start,
        text: edit.start >= start ? edit.text : "",
      });
    }
    return edited(piece, own);
  });
}
