import { compileCriteria, type Subject, viewOf } from "../matching/criteria.ts";
import { scriptFor } from "../matching/match-script.ts";
import type { ScriptBook } from "../scripts/script-book.ts";
import type { When } from "../scripts/script.ts";

/** Which requests to a model a planned fault is for. */
export interface ConversationScope {
  /** Only requests to a model that fulfil these conditions, as in a script. */
  readonly when?: When;
  /** Only requests that the script of this name would answer. */
  readonly script?: string;
}

/** Makes the test whether a request is in a scope. The scripts are not counted. */
export function scopeTest(
  subject: Subject,
  scripts: ScriptBook,
): (scope: ConversationScope) => boolean {
  const view = viewOf(subject);
  return ({ when, script }) =>
    (when === undefined || compileCriteria(when).every(({ holds }) => holds(view))) &&
    (script === undefined || scriptFor(scripts, view)?.name === script);
}
