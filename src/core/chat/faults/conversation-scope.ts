import { compileCriteria, type Subject, viewOf } from "../matching/criteria.ts";
import { scriptFor } from "../matching/match-script.ts";
import type { ScriptBook } from "../scripts/script-book.ts";
import type { When } from "../scripts/script.ts";

/** The requests to a model that a planned fault affects. */
export interface ConversationScope {
  /** Only requests to a model that fulfil these conditions, as in a script. */
  readonly when?: When;
  /** Only requests that the script of this name would answer. */
  readonly script?: string;
}

/** Makes a function that tells whether a request is in a scope. This does not count as a match of a script. */
export function scopeTest(
  subject: Subject,
  scripts: ScriptBook,
): (scope: ConversationScope) => boolean {
  const view = viewOf(subject);
  return ({ when, script }) =>
    (when === undefined || compileCriteria(when).every(({ holds }) => holds(view))) &&
    (script === undefined || scriptFor(scripts, view)?.name === script);
}
