/** The longest delay that can be set or drawn, in milliseconds: ten minutes. */
export const longestDelayMs = 600_000;

/** A time in milliseconds: fixed, or drawn from the seed each time. */
export type Delay =
  | number
  /** Uniform. */
  | { readonly min: number; readonly max: number }
  /** Log-normal; `sigma` is the standard deviation of the logarithm. */
  | { readonly median: number; readonly sigma: number }
  /** Log-normal: half of the times are below `p50`, 99 of 100 below `p99`. */
  | { readonly p50: number; readonly p99: number }
  /** Normal, but never below 0. */
  | { readonly mean: number; readonly stdDev: number }
  /** Exponential, with this mean. */
  | { readonly exponential: number };

/** How many standard deviations the 99th percentile of a normal distribution is above its mean. */
const deviationsToP99 = 2.326_348;

/** A delay this time, in milliseconds. A fixed one draws nothing. At most `longestDelayMs`. */
export function drawDelay(delay: Delay, random: () => number): number {
  if (typeof delay === "number") return delay;
  if ("min" in delay) return delay.min + (delay.max - delay.min) * random();
  return Math.min(drawUnbounded(delay, random), longestDelayMs);
}

function drawUnbounded(
  delay: Exclude<Delay, number | { readonly min: number }>,
  random: () => number,
): number {
  if ("median" in delay) return delay.median * Math.exp(delay.sigma * drawNormal(random));
  if ("p50" in delay) {
    const { p50, p99 } = delay;
    return p50 * (p99 / p50) ** (drawNormal(random) / deviationsToP99);
  }
  if ("mean" in delay) return Math.max(0, delay.mean + delay.stdDev * drawNormal(random));
  return -delay.exponential * Math.log(1 - random());
}

/** A normally distributed number with mean 0 and standard deviation 1, by Box and Muller. */
function drawNormal(random: () => number): number {
  // Not 0, which has no logarithm.
  const distance = Math.sqrt(-2 * Math.log(1 - random()));
  return distance * Math.cos(2 * Math.PI * random());
}
