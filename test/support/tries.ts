export const isLong = process.env["LONG_TESTS"] === "1";

/** `npm run check` tries other values than `npm test`, which has run before it. `PROPERTY_SEED=3` tries yet others. */
export const propertySeed = Number(process.env["PROPERTY_SEED"] ?? (isLong ? 2 : 1));

/** How often a property is tried: a twentieth as often as it says in `npm test`, and four tenths in `npm run check`. */
export function tries(runs: number): number {
  return Math.ceil(isLong ? runs * 0.4 : runs / 20);
}
