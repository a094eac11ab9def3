import { EmulatorError } from "../errors/emulator-error.ts";
import { checkScript } from "./check-script.ts";
import { compileCriteria, type Criterion, type Subject } from "./criteria.ts";
import type { Script } from "./script.ts";
import { type MatchGroups, mergeGroups } from "./text-matcher.ts";

/** A script, ready to be matched. */
export interface CompiledScript {
  readonly script: Script;
  readonly criteria: readonly Criterion[];
  /** The named groups of all matchers for a request that matches. */
  readonly groups: (subject: Subject) => MatchGroups;
}

/** Prepares a script. Throws `ERR_SCRIPT_REFUSED` with every problem that it has. */
export function compileScript(script: Script): CompiledScript {
  const problems = checkScript(script);
  if (problems.length > 0) throw refusal(script.name, problems);
  const criteria = compileCriteria(script.when ?? {});
  return {
    script,
    criteria,
    groups: (subject) => mergeGroups(criteria.map(({ groups }) => groups?.(subject) ?? {})),
  };
}

function refusal(name: string, found: ReturnType<typeof checkScript>): EmulatorError {
  const problems = found.map(({ path, message }) => ({ message: `${path.join(".")}: ${message}` }));
  const list = problems.map(({ message }) => message).join("; ");
  return new EmulatorError("ERR_SCRIPT_REFUSED", `Cannot use the script "${name}": ${list}.`, {
    problems,
  });
}
