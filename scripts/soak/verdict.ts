/** What a soak showed, and whether it is good. */
import type { Measurement } from "./server.ts";

/** The last third may have so much more than the second sixth, when warm-up is over. */
export const allowedGrowth = 1.1;

export interface Growth {
  /** Medians of the heap's bytes. */
  readonly early: number;
  readonly late: number;
  readonly ratio: number;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
}

/** Compares the heap of the second sixth with that of the last third. */
export function heapGrowth(samples: readonly Measurement[]): Growth {
  const heaps = samples.map(({ heapUsed }) => heapUsed);
  const sixth = Math.floor(heaps.length / 6);
  const early = median(heaps.slice(sixth, 2 * sixth));
  const late = median(heaps.slice(-2 * sixth));
  return { early, late, ratio: late / early };
}

/** Kinds of resources of which more are there than at first. */
export function leftovers(first: Measurement, last: Measurement): readonly string[] {
  return Object.entries(last.resources).flatMap(([kind, count]) => {
    const more = count - (first.resources[kind] ?? 0);
    return more > 0 ? [`${more} ${kind}`] : [];
  });
}
