import { type CompiledScript } from "./compile-script.ts";
import type { Subject } from "./criteria.ts";

/** Why a script did not match: a condition that does not hold. */
export interface Failure {
  /** Where it stands in the script, such as `user`, `header.x-tenant` or `times`. */
  readonly criterion: string;
  readonly expected: string;
  readonly seen: string;
}

/** A script that did not match, with every condition that does not hold. */
export interface Miss {
  readonly script: string;
  readonly failures: readonly Failure[];
  /** How many conditions do hold. */
  readonly held: number;
}

/** Says of a script, which has answered `matches` requests, what keeps it from answering this one. */
export function explainMiss(compiled: CompiledScript, subject: Subject, matches: number): Miss {
  const failed = compiled.criteria.filter((criterion) => !criterion.holds(subject));
  const failures: Failure[] = failed.map((criterion) => ({
    criterion: criterion.name,
    expected: criterion.expected,
    seen: criterion.seen(subject),
  }));
  if (isUsedUp(compiled, matches)) failures.push(usedUp(compiled, matches));
  return {
    script: compiled.script.name,
    failures,
    held: compiled.criteria.length - failed.length,
  };
}

/** Whether a script has given all the answers that it has. */
export function isUsedUp({ script }: CompiledScript, matches: number): boolean {
  return matches >= mostMatches(script);
}

function mostMatches({ times, after, replies }: CompiledScript["script"]): number {
  return Math.min(times ?? Infinity, after === "end" ? replies.length : Infinity);
}

function usedUp({ script }: CompiledScript, matches: number): Failure {
  const most = mostMatches(script);
  return {
    criterion: most === script.times ? "times" : "after",
    expected: `at most ${most} ${most === 1 ? "match" : "matches"}`,
    seen: `${matches} so far`,
  };
}

/** The miss that came closest: with the fewest failures, then the most that holds, then the first. */
export function closestMiss(misses: readonly Miss[]): Miss | undefined {
  return misses.toSorted(
    (left, right) => left.failures.length - right.failures.length || right.held - left.held,
  )[0];
}

/** A miss in a sentence. */
export function describeMiss({ script, failures }: Miss): string {
  const reasons = failures.map(
    ({ criterion, expected, seen }) => `${criterion} has to be ${expected}, but it is ${seen}`,
  );
  return `The closest is "${script}": ${reasons.join("; ")}.`;
}
