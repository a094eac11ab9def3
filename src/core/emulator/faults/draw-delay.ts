import { type FaultDelay, longestDelayMs } from "../../fixture-set/format/fault-rule-format.ts";

/** How long a fault holds an answer back this time, in milliseconds. Never longer than `longestDelayMs`. */
export function drawDelay(delay: FaultDelay, random: () => number): number {
  if (typeof delay === "number") return delay;
  if ("min" in delay) return delay.min + (delay.max - delay.min) * random();
  const drawn = delay.median * Math.exp(delay.sigma * drawNormal(random));
  return Math.min(drawn, longestDelayMs);
}

/** A number of the normal distribution around 0 with a standard deviation of 1, by the method of Box and Muller. */
function drawNormal(random: () => number): number {
  // Not 0, of which there is no logarithm.
  const distance = Math.sqrt(-2 * Math.log(1 - random()));
  return distance * Math.cos(2 * Math.PI * random());
}
