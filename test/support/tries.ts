export const isLong = process.env["BACKLOT_TESTS"] === "long";

/** How often a property is tried: half as often as it says in `npm run check`, a fifth of that in `npm test`. */
export function tries(runs: number): number {
  return Math.ceil(runs / (isLong ? 2 : 5));
}
