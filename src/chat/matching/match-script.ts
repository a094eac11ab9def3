import { type CompiledScript, compileScript } from "./compile-script.ts";
import { closestMisses, isUsedUp, type Miss } from "./explain.ts";
import { findScripts } from "./find-scripts.ts";
import { RequestView, type Subject } from "./request-view.ts";
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
}

/** Prepared when first tried, so that a start with many scripts need not wait for it. */
const prepared = new WeakMap<Script, CompiledScript>();

function prepare(script: Script): CompiledScript {
  const known = prepared.get(script);
  if (known !== undefined) return known;
  const compiled = compileScript(script);
  prepared.set(script, compiled);
  return compiled;
}

/**
 * The first script that matches, which is counted; undefined when there is none. Nothing is awaited, so that
 * requests at the same time never get the same turn.
 */
export function takeMatch(book: ScriptBook, subject: Subject): ScriptMatch | undefined {
  const view = new RequestView(subject);
  let match: ScriptMatch | undefined;
  findScripts(book.layers, view, (script) => {
    const compiled = prepare(script);
    const mayAnswer =
      compiled.mostMatches === Infinity || !isUsedUp(compiled, book.matchesOf(script));
    if (!mayAnswer || !compiled.criteria.every(({ holds }) => holds(view))) return false;
    match = answerOf(compiled, view, book.matchesOf(script));
    book.count(script);
    return true;
  });
  return match;
}

/** What a script answers that has answered `matches` requests before. */
function answerOf(compiled: CompiledScript, view: RequestView, matches: number): ScriptMatch {
  const { script, groups } = compiled;
  const replyIndex = replyIndexFor(script, matches);
  const reply = script.replies[replyIndex] ?? script.replies[0];
  return { script, reply, replyIndex, groups: () => groups(view) };
}

/** Why the scripts that come closest to a request do not match it. */
export function explainMisses(book: ScriptBook, subject: Subject): readonly Miss[] {
  const candidates = book
    .list()
    .map((script) => ({ compiled: prepare(script), matches: book.matchesOf(script) }));
  return closestMisses(candidates, subject);
}

function replyIndexFor({ replies, after }: Script, matches: number): number {
  return after === "cycle" ? matches % replies.length : Math.min(matches, replies.length - 1);
}
