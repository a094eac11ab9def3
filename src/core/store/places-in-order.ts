import { compareOrderValues, type OrderValue } from "./order-value.ts";
import { elementAt } from "./sorted-tree.ts";

/** The places of keys in their order, those of equal keys as they are. */
export function placesInOrder(keys: readonly OrderValue[]): readonly number[] {
  const words = wordsOf(keys);
  if (words !== undefined) return placesOfWords(words, keys.length);
  return [...keys.keys()].toSorted((left, right) =>
    compareOrderValues(elementAt(keys, left), elementAt(keys, right)),
  );
}

/**
 * Each key's 64 bits as two whole numbers, the lower half first, whose order is that of the keys. Undefined if a key is
 * neither a double nor NULL.
 */
function wordsOf(keys: readonly OrderValue[]): readonly Uint32Array[] | undefined {
  const low = new Uint32Array(keys.length);
  const high = new Uint32Array(keys.length);
  const bits = new DataView(new ArrayBuffer(8));
  for (let at = 0; at < keys.length; at++) {
    const key = elementAt(keys, at);
    // NULL stays 0, which is less than the words of any number.
    if (key === null) continue;
    if (typeof key !== "number") return undefined;
    // The sum turns -0 into 0, which is equal.
    bits.setFloat64(0, key + 0);
    const top = bits.getUint32(0);
    const rest = bits.getUint32(4);
    const isNegative = top >= signBit;
    high[at] = isNegative ? ~top : top + signBit;
    low[at] = isNegative ? ~rest : rest;
  }
  return [low, high];
}

const signBit = 2 ** 31;

/** From so many keys on, digits of 16 bits are sooner done than those of 8. */
const manyKeys = 30_000;

/**
 * Sorts by one digit after the other, the last one first. A million prices take 35 ms, the native sort of numbers and a
 * search for each place 270.
 */
function placesOfWords(halves: readonly Uint32Array[], length: number): readonly number[] {
  const bits = length < manyKeys ? 8 : 16;
  let places = new Uint32Array(length);
  for (let at = 0; at < length; at++) places[at] = at;
  for (const words of halves) {
    for (let shift = 0; shift < 32; shift += bits) {
      places = sortedByDigit(places, words, { shift, values: 2 ** bits });
    }
  }
  return Array.from(places);
}

interface Digit {
  readonly shift: number;
  /** How many values the digit has. */
  readonly values: number;
}

/** Places in the order of a digit of their words, those of equal digits as they are. */
function sortedByDigit(
  places: Uint32Array<ArrayBuffer>,
  words: Uint32Array,
  { shift, values }: Digit,
): Uint32Array<ArrayBuffer> {
  const { length } = places;
  const digitAt = (place: number): number => ((words[place] ?? 0) >>> shift) & (values - 1);
  /** Where the next place with a digit goes. */
  const ends = new Uint32Array(values + 1);
  for (let at = 0; at < length; at++) {
    const next = digitAt(at) + 1;
    ends[next] = (ends[next] ?? 0) + 1;
  }
  // Most numbers share some of their digits.
  if (ends[digitAt(0) + 1] === length) return places;
  for (let digit = 1; digit < values; digit++)
    ends[digit] = (ends[digit] ?? 0) + (ends[digit - 1] ?? 0);
  const sorted = new Uint32Array(length);
  for (let at = 0; at < length; at++) {
    const place = places[at] ?? 0;
    const digit = digitAt(place);
    const to = ends[digit] ?? 0;
    sorted[to] = place;
    ends[digit] = to + 1;
  }
  return sorted;
}
