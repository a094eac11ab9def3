import type { CompiledScript } from "./compile-script.ts";
import type { RequestView } from "./request-view.ts";

/** Why a script did not match: a condition that does not hold. */
export interface Failure {
  /** Where it stands in the script, such as `user`, `header.x-tenant` or `times`. */
  readonly criterion: string;
  readonly expected: string;
  readonly seen: string;
  /** How near the one comes to the other, in words; absent when it is not near. */
  readonly near?: string;
}

/** A script that did not match, with every condition that does not hold. */
export interface Miss {
  readonly script: string;
  readonly failures: readonly Failure[];
  /** How many conditions do hold. */
  readonly held: number;
}

/** So many scripts are named: the one that was meant is hardly ever further down. */
const mostNamed = 3;

/** Says of a script, which has answered `matches` requests, what keeps it from answering this one. */
export function explainMiss(compiled: CompiledScript, view: RequestView, matches: number): Miss {
  const failed = compiled.criteria.filter((criterion) => !criterion.holds(view));
  // What is no result of a tool has neither a name nor a content that could be wrong.
  const isResult = failed.every(({ name }) => name !== "toolResult");
  const failures: Failure[] = failed
    .filter(({ name }) => isResult || !name.startsWith("toolResult."))
    .map(({ name, expected, seen, near }) => {
      const words = near?.(view);
      const failure = { criterion: name, expected, seen: seen(view) };
      return words === undefined ? failure : { ...failure, near: words };
    });
  if (isUsedUp(compiled, matches)) failures.push(usedUp(compiled, matches));
  const held = compiled.criteria.length - failed.length;
  return { script: compiled.script.name, failures, held };
}

/** Whether a script has given all the answers that it has. */
export function isUsedUp({ mostMatches }: CompiledScript, matches: number): boolean {
  return matches >= mostMatches;
}

const usedUpCriteria: readonly string[] = ["times", "after"];

function usedUp({ script, mostMatches }: CompiledScript, matches: number): Failure {
  return {
    criterion: mostMatches === script.times ? "times" : "after",
    expected: `at most ${mostMatches} ${mostMatches === 1 ? "match" : "matches"}`,
    seen: `${matches} so far`,
  };
}

/** How far a miss is from a match. Two near failures are nearer than one that is not near. */
function distanceOf({ failures }: Miss): number {
  let distance = 0;
  for (const { criterion, near } of failures) {
    distance += near !== undefined || usedUpCriteria.includes(criterion) ? 0.4 : 1;
  }
  return distance;
}

/** The misses that came closest, closest first: by what fails and how far off it is, then by what holds, then in order. */
export function closestMisses(misses: readonly Miss[]): readonly Miss[] {
  return misses
    .map((miss) => ({ miss, distance: distanceOf(miss) }))
    .toSorted((left, right) => left.distance - right.distance || right.miss.held - left.miss.held)
    .slice(0, mostNamed)
    .map(({ miss }) => miss);
}

/** The closest misses in words, a line for each. */
export function describeMisses(misses: readonly Miss[]): string {
  const [closest, ...next] = closestMisses(misses);
  if (closest === undefined) return "There are no scripts.";
  const others = next.map((miss) => `\nThen ${describe(miss)}`);
  return `The closest is ${describe(closest)}${others.join("")}`;
}

/** The names of the closest misses, for a log; undefined when there are no scripts. */
export function nameClosest(misses: readonly Miss[]): string | undefined {
  const names = closestMisses(misses).map(({ script }) => JSON.stringify(script));
  return names.length === 0 ? undefined : names.join(", ");
}

function describe({ script, failures }: Miss): string {
  const reasons = failures.map(({ criterion, expected, seen, near }) => {
    const words = near === undefined ? "" : ` (${near})`;
    return `${criterion} has to be ${expected}, but it is ${seen}${words}`;
  });
  return `${JSON.stringify(script)}: ${reasons.join("; ")}.`;
}
