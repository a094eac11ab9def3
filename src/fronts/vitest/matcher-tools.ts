import type { ExpectStatic } from "vitest";

/** The `this` of a matcher in vitest. */
export type MatcherTools = ReturnType<ExpectStatic["getState"]>;

const longestShown = 160;
const shownDepth = 5;

/** A value on one line, shortened if long. */
export function show(value: unknown, { utils }: MatcherTools): string {
  const line = utils
    .stringify(value, shownDepth, { min: true })
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n");
  return line.length > longestShown ? `${line.slice(0, longestShown)}…` : line;
}
