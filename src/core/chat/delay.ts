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

/** Draws a delay in milliseconds, at most `longestDelayMs`. A fixed delay uses no random number. */
export function drawDelay(delay: Delay, random: () => number): number {
  if (typeof delay === "number") return delay;
  if ("min" in delay) return delay.min + (delay.max - delay.min) * random();
  let drawn: number;
  if ("exponential" in delay) drawn = -delay.exponential * Math.log(1 - random());
  else if ("mean" in delay) drawn = Math.max(0, delay.mean + delay.stdDev * drawNormal(random));
  else {
    const { median, sigma } = "median" in delay ? delay : logNormalOf(delay);
    drawn = median * Math.exp(sigma * drawNormal(random));
  }
  return Math.min(drawn, longestDelayMs);
}

function logNormalOf({ p50, p99 }: { readonly p50: number; readonly p99: number }): {
  readonly median: number;
  readonly sigma: number;
} {
  return { median: p50, sigma: Math.log(p99 / p50) / deviationsToP99 };
}

/** A normally distributed number with mean 0 and standard deviation 1, by Box and Muller. */
function drawNormal(random: () => number): number {
  // 1 minus the number is never 0, which has no logarithm.
  const distance = Math.sqrt(-2 * Math.log(1 - random()));
  return distance * Math.cos(2 * Math.PI * random());
}
