import { type Delay, longestDelayMs } from "../chat/delay.ts";
import { nearestName } from "../errors/show.ts";
import { isObject } from "../schema/json.ts";
import { closedObject, required } from "../schema/objects.ts";
import { type Schema, withRule } from "../schema/schema.ts";
import { choice, milliseconds, number } from "../schema/values.ts";

const bounded = number({ least: 0, most: longestDelayMs });
const positive = number({ above: 0, most: longestDelayMs });

const range = withRule(
  closedObject({
    min: required(bounded, "The shortest."),
    max: required(bounded, "The longest."),
  }),
  ({ min, max }, run) => {
    if (min > max) run.refuse(`"min" is ${min}, which is more than "max", ${max}.`);
  },
);

const logNormal = closedObject({
  median: required(positive, "The median delay."),
  sigma: required(
    number({ least: 0, most: 10 }),
    "The spread: the standard deviation of the logarithm.",
  ),
});

const percentiles = withRule(
  closedObject({
    p50: required(positive, "The median of a log-normal delay."),
    p99: required(positive, "The delay that one of a hundred exceeds."),
  }),
  ({ p50, p99 }, run) => {
    if (p50 > p99) run.refuse(`"p50" is ${p50}, which is more than "p99", ${p99}.`);
  },
);

const normal = closedObject({
  mean: required(bounded, "The mean of a normal delay."),
  stdDev: required(bounded, "The standard deviation."),
});

const exponential = closedObject({
  exponential: required(positive, "The mean of an exponential delay."),
});

/** The keys of each distribution, in the order of the schemas below. */
const keysOf = [
  ["median", "sigma"],
  ["p50", "p99"],
  ["mean", "stdDev"],
  ["exponential"],
  ["min", "max"],
];
const allKeys = keysOf.flat();

/** A time that is fixed, or drawn from a distribution. */
function delayOr(fixed: Schema<number>): Schema<Delay> {
  return choice(
    [fixed, logNormal, percentiles, normal, exponential, range],
    'a number, or an object with "min" and "max", "median" and "sigma", "p50" and "p99", "mean" and "stdDev", or "exponential"',
    (value) => {
      if (typeof value === "number") return 0;
      if (!isObject(value)) return undefined;
      // A nearly right key is enough to choose a distribution, so that the typo is reported as the problem.
      const meant = Object.keys(value).map((key) => nearestName(key, allKeys));
      const found = keysOf.findIndex((keys) => meant.some((name) => keys.includes(name ?? "")));
      return found === -1 ? keysOf.length : found + 1;
    },
  );
}

/** A delay of a pace. */
export const paceDelay: Schema<Delay> = delayOr(milliseconds);

/** A delay of a fault. */
export const faultDelay: Schema<Delay> = delayOr(bounded);
