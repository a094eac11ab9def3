import { EmulatorError } from "../../errors/emulator-error.ts";
import { checkScript } from "../scripts/check-script.ts";
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

/** Prepares a script. Throws `ERR_SCRIPT_REFUSED` with every problem that it has. */
export function compileScript(script: Script): CompiledScript {
  const problems = checkScript(script);
  if (problems.length > 0) throw refusal(script.name, problems);
  const criteria = compileCriteria(script.when ?? {});
  return {
    script,
    criteria,
    mostMatches: mostMatches(script),
    groups: (view) => mergeGroups(criteria.map(({ groups }) => groups?.(view) ?? {})),
  };
}

/** How many requests a script can answer; Infinity when there is no end. */
export function mostMatches({ times = Infinity, after, replies }: Script): number {
  return after === "end" ? Math.min(times, replies.length) : times;
}

function refusal(name: string, found: ReturnType<typeof checkScript>): EmulatorError {
  const problems = found.map(({ path, message }) => ({ message: `${path.join(".")}: ${message}` }));
  const list = problems.map(({ message }) => message).join("; ");
  return new EmulatorError("ERR_SCRIPT_REFUSED", `Cannot use the script "${name}": ${list}.`, {
    problems,
  });
}

/** Prepared when first tried, so that a start with many scripts need not wait for it. */
const prepared = new WeakMap<Script, CompiledScript>();

/** A script, ready to be matched. Throws `ERR_SCRIPT_REFUSED` when it has problems. */
export function prepareScript(script: Script): CompiledScript {
  const known = prepared.get(script);
  if (known !== undefined) return known;
  const compiled = compileScript(script);
  prepared.set(script, compiled);
  return compiled;
}
