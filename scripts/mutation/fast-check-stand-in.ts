/**
 * fast-check with few cases for each property: a change is judged by every test that reaches it, and thousands of
 * cases would take seconds for each of thousands of changes.
 */
import fc, { type Parameters as RunParameters } from "fast-check";

export * from "fast-check";

const mostRuns = 50;

/** The same cases in each run, and no search for the smallest one that fails: that there is one is enough. */
function few<Values>(parameters: RunParameters<Values>): RunParameters<Values> {
  const { seed = 1, numRuns = mostRuns } = parameters;
  return { ...parameters, seed, numRuns: Math.min(numRuns, mostRuns), endOnFailure: true };
}

export const assert: typeof fc.assert = new Proxy(fc.assert, {
  apply: (target, self, [property, parameters = {}]: Parameters<typeof fc.assert>) =>
    Reflect.apply(target, self, [property, few(parameters)]),
});

export default { ...fc, assert };
