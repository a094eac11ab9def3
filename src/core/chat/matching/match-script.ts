import type { ScriptBook, ScriptList, SharedScripts } from "../scripts/script-book.ts";
import type { Script, ScriptReply } from "../scripts/script.ts";
import { compileScript, type RequestView, type Subject, viewOf } from "./criteria.ts";
import { ScriptSearch } from "./explain.ts";
import { ScriptIndex } from "./script-index.ts";
import type { MatchGroups } from "./text-matcher.ts";

/** The script that answers a request, and with which of its replies. */
export interface ScriptMatch {
  readonly script: Script;
  readonly reply: ScriptReply;
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
  const view = viewOf(subject);
  let match: ScriptMatch | undefined;
  findScripts(book.layers, view, (script) => {
    const { criteria, mostMatches, groups } = compileScript(script);
    const matches = book.matchesOf(script);
    if (matches >= mostMatches) {
      search.noteUsedUp(script);
      return false;
    }
    if (!criteria.every(({ holds }) => holds(view))) return false;
    const replyIndex = replyIndexFor(script, matches);
    search.noteMatch(script, replyIndex);
    const reply = script.replies[replyIndex] ?? script.replies[0];
    match = { script, reply, groups: () => groups(view), search };
    book.count(script);
    return true;
  });
  return match;
}

function replyIndexFor({ replies, after }: Script, matches: number): number {
  return after === "cycle" ? matches % replies.length : Math.min(matches, replies.length - 1);
}

/** Fewer scripts are looked through faster than an index is. */
const leastIndexed = 16;

/** Made when a request first needs them. Sessions share them, as they do the scripts. */
const indexes = new WeakMap<SharedScripts, ScriptIndex>();

/** Offers the scripts that may match a request, in order, until one is taken. Others cannot match it. */
function findScripts(
  { added, shared, removed }: ScriptList,
  view: RequestView,
  take: (script: Script) => boolean,
): void {
  if (added.some(take)) return;
  const takeShared = (script: Script): boolean => !removed.has(script.name) && take(script);
  if (shared.scripts.length < leastIndexed) {
    shared.scripts.some(takeShared);
    return;
  }
  const index = indexes.get(shared) ?? new ScriptIndex(shared.scripts);
  indexes.set(shared, index);
  index.find(view).some(takeShared);
}
