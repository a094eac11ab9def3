export const isLong = process.env["LONG_TESTS"] === "1";

/** How often a property is tried: half as often as it says in `npm run check`, a fifth of that in `npm test`. */
export function tries(runs: number): number {
  return Math.ceil(runs / (isLong ? 2 : 5));
}
