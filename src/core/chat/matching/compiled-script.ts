import type { Script } from "../scripts/script.ts";
import { compileCriteria, type Criterion } from "./criteria.ts";
import type { RequestView } from "./request-view.ts";
import { type MatchGroups, mergeGroups } from "./text-matcher.ts";

/** A script, ready to be matched. */
export interface CompiledScript {
  readonly script: Script;
  readonly criteria: readonly Criterion[];
  /** How many requests it can answer. */
  readonly mostMatches: number;
  /** The named groups of all matchers for a request that matches. */
  readonly groups: (view: RequestView) => MatchGroups;
}

/** Compiled when first tried, so that a start with many scripts need not wait for it. */
const known = new WeakMap<Script, CompiledScript>();

/** A script that was checked, ready to be matched. */
export function compileScript(script: Script): CompiledScript {
  const before = known.get(script);
  if (before !== undefined) return before;
  const criteria = compileCriteria(script.when ?? {});
  const compiled: CompiledScript = {
    script,
    criteria,
    mostMatches: mostMatches(script),
    groups: (view) => mergeGroups(criteria.map(({ groups }) => groups?.(view) ?? {})),
  };
  known.set(script, compiled);
  return compiled;
}

/** How many requests a script can answer; Infinity when there is no end. */
export function mostMatches({ times = Infinity, after, replies }: Script): number {
  return after === "end" ? Math.min(times, replies.length) : times;
}
