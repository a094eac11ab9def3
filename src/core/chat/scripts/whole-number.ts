import type { ScriptProblem } from "./script-problem.ts";

/** What is wrong with a number that has to be whole and `least` or more. */
export function wholeNumber(
  value: number,
  least: number,
  path: ScriptProblem["path"],
): ScriptProblem[] {
  return Number.isSafeInteger(value) && value >= least
    ? []
    : [{ path, message: `has to be a whole number, ${least} or more` }];
}
