import { partsOf } from "./words.ts";

/** The values on which vectors depend besides their texts. */
export interface VectorSpace {
  readonly seed: number;
  readonly model: string;
  /** How many numbers a vector has. */
  readonly size: number;
}

/**
 * The vector of a text, of length 1. Each part of the text adds to one number of each span, at a place and with a sign
 * that are hashed. Parts that two texts share make them near; all others meet by chance, and cancel each other. The
 * spans are 1, 1, 2, 4, 8 and so on numbers long and have all parts each, so that the first numbers alone still tell
 * texts apart.
 */
export function vectorOf(text: string, { seed, model, size }: VectorSpace): Float64Array {
  const begin = hashOf(model, mixed(seed));
  const vector = new Float64Array(size);
  for (const [part, weight] of partsOf(text)) {
    let hash = hashOf(part, begin);
    for (let start = 0, end = 1; start < size; start = end, end *= 2) {
      hash = mixed(hash);
      const span = Math.min(end, size) - start;
      const place = start + ((hash >>> 1) % span);
      const amount = weight * Math.sqrt(span);
      vector[place] = (vector[place] ?? 0) + ((hash & 1) === 0 ? amount : -amount);
    }
  }
  return unitVector(vector, size);
}

/** A vector's first numbers, brought to length 1. If all are 0, it points along the first one. */
export function unitVector(vector: ArrayLike<number>, size: number): Float64Array {
  const unit = new Float64Array(size);
  let square = 0;
  for (let place = 0; place < size; place++) square += (vector[place] ?? 0) ** 2;
  const length = Math.sqrt(square);
  for (let place = 0; place < size; place++) {
    unit[place] = length === 0 ? 0 : (vector[place] ?? 0) / length;
  }
  if (length === 0) unit[0] = 1;
  return unit;
}

/** A hash of a text (FNV-1a) that continues another hash. */
function hashOf(text: string, start: number): number {
  let hash = start;
  for (let place = 0; place < text.length; place++) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x0100_0193);
  }
  return mixed(hash);
}

/** Spreads each bit of a number over all others (MurmurHash3's last step). */
function mixed(number: number): number {
  let bits = (number + 0x9e37_79b9) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return bits ^ (bits >>> 16);
}
