import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import type { Core } from "../../../core/emulator/core.ts";

type Script = FixtureSet["scripts"][number];

/** Whether chat gives the same answers whichever worker is asked, and leaves nothing behind that a later answer shows. */
export function isChatStateless({ fixtures, settings }: Core): boolean {
  const { seed, clock, limits } = settings;
  // Ids and chance would go on in each worker as if there were no others.
  if (seed !== undefined || clock !== undefined) return false;
  if (Object.keys(limits).length > 0) return false;
  return hasPlainState(fixtures) && fixtures.scripts.every(isStateless);
}

/** Planned faults act so often and no more; recordings are replayed in turn. */
function hasPlainState({ state, cassettes }: FixtureSet): boolean {
  const isPlain = Object.values(state).every((part) => part === undefined);
  return isPlain && cassettes.length === 0;
}

function isStateless(script: Script): boolean {
  const { times, replies, after = "repeat" } = script;
  if (times !== undefined || replies.length > 1 || after === "end") return false;
  return !readsTables(replies);
}

/** Whether a template may. Rows are in one worker alone. */
function readsTables(replies: Script["replies"]): boolean {
  const text = JSON.stringify(replies);
  return /\{[{%]/.test(text) && text.includes("tables");
}
