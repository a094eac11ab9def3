/** From here on trying a segment at each place of a text takes too long: the time grows with both lengths. */
export const longSegment = 64;

const wordBits = 32;

/** A segment as sets of places, a bit for each, by the letter that stands there. */
export interface LongSegment {
  /** Places of a letter, those of `_` included. ASCII letters are there in both cases. */
  readonly places: ReadonlyMap<string, Uint32Array>;
  /** Places of `_`, where every letter may stand. */
  readonly anyPlaces: Uint32Array;
  readonly length: number;
}

/** Prepares the text between two `%` of a pattern. */
export function readLongSegment(pattern: string): LongSegment {
  const points = Array.from(pattern);
  const words = Math.ceil(points.length / wordBits);
  const anyPlaces = new Uint32Array(words);
  for (const [place, point] of points.entries()) if (point === "_") addPlace(anyPlaces, place);
  const places = new Map<string, Uint32Array>();
  for (const [place, point] of points.entries()) {
    if (point === "_") continue;
    for (const spelling of spellingsOf(point)) {
      const own = places.get(spelling) ?? anyPlaces.slice();
      addPlace(own, place);
      places.set(spelling, own);
    }
  }
  return { places, anyPlaces, length: points.length };
}

function spellingsOf(point: string): readonly string[] {
  return /^[a-z]$/i.test(point) ? [point.toLowerCase(), point.toUpperCase()] : [point];
}

function addPlace(set: Uint32Array, place: number): void {
  const word = Math.floor(place / wordBits);
  set[word] = (set[word] ?? 0) | (1 << (place % wordBits));
}

/**
 * Where the first match of the segment between `start` and `end` ends, or -1. One pass over the text, in which a
 * bit for each place says whether the segment matches up to there: 32 places a step.
 */
export function findLong(
  { places, anyPlaces, length }: LongSegment,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): number {
  const reached = new Uint32Array(anyPlaces.length);
  const last = length - 1;
  const lastWord = Math.floor(last / wordBits);
  let position = start;
  for (const point of text.slice(start, end)) {
    position += point.length;
    advance(reached, places.get(point) ?? anyPlaces);
    if ((((reached[lastWord] ?? 0) >>> (last % wordBits)) & 1) === 1) return position;
  }
  return -1;
}

/** Moves every match on by one place, begins a new one, and keeps those that the letter fits. */
function advance(reached: Uint32Array, fitting: Uint32Array): void {
  let carry = 1;
  for (let word = 0; word < reached.length; word++) {
    const before = reached[word] ?? 0;
    reached[word] = ((before << 1) | carry) & (fitting[word] ?? 0);
    carry = before >>> (wordBits - 1);
  }
}
