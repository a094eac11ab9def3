import { closestMisses, isUsedUp, type Miss } from "./explain.ts";
import { findScripts } from "./find-scripts.ts";
import { prepareScript } from "./prepare-script.ts";
import { RequestView, type Subject } from "./request-view.ts";
import { ScriptSearch } from "./script-search.ts";
import type { ScriptBook } from "../scripts/script-book.ts";
import type { Script, ScriptReply } from "../scripts/script.ts";
import type { MatchGroups } from "../scripts/text-matcher.ts";

/** The script that answers a request, and with which of its replies. */
export interface ScriptMatch {
  readonly script: Script;
  readonly reply: ScriptReply;
  /** Which of the script's replies it is, from 0. */
  readonly replyIndex: number;
  /** The named groups of the script's matchers, looked for when they are first asked for. */
  readonly groups: () => MatchGroups;
  /** How it was found. */
  readonly search: ScriptSearch;
}

/**
 * The first script that matches, which is counted; undefined when there is none. Nothing is awaited, so that
 * requests at the same time never get the same turn.
 */
export function takeMatch(
  book: ScriptBook,
  subject: Subject,
  search: ScriptSearch = new ScriptSearch(book.layers),
): ScriptMatch | undefined {
  const view = new RequestView(subject);
  let match: ScriptMatch | undefined;
  findScripts(book.layers, view, (script) => {
    const compiled = prepareScript(script);
    if (compiled.mostMatches !== Infinity && isUsedUp(compiled, book.matchesOf(script))) {
      search.noteUsedUp(script);
      return false;
    }
    if (!compiled.criteria.every(({ holds }) => holds(view))) return false;
    const replyIndex = replyIndexFor(script, book.matchesOf(script));
    search.noteMatch(script, replyIndex);
    const reply = script.replies[replyIndex] ?? script.replies[0];
    match = { script, reply, replyIndex, groups: () => compiled.groups(view), search };
    book.count(script);
    return true;
  });
  return match;
}

/** Why the scripts that come closest to a request do not match it. */
export function explainMisses(book: ScriptBook, subject: Subject): readonly Miss[] {
  const candidates = book
    .list()
    .map((script) => ({ compiled: prepareScript(script), matches: book.matchesOf(script) }));
  return closestMisses(candidates, subject);
}

function replyIndexFor({ replies, after }: Script, matches: number): number {
  return after === "cycle" ? matches % replies.length : Math.min(matches, replies.length - 1);
}
