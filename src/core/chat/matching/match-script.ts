import type {
  AnswerDetails,
  Answerer,
  AnswerOutcome,
  AnswerScene,
  MissedScript,
} from "../../http/answerer.ts";
import { parseBody } from "../../http/json-body.ts";
import { asObject, type JsonObject } from "../../schema/json.ts";
import { type ChatRequest, requestOf } from "../request/chat-request.ts";
import type { ScriptBook } from "../scripts/script-book.ts";
import type { Script, ScriptReply } from "../scripts/script.ts";
import {
  compileScript,
  type Criterion,
  type RequestView,
  type Subject,
  viewOf,
} from "./criteria.ts";
import { closestMisses, explainMatch, matchingScripts, type WhichMisses } from "./explain.ts";
import { conditionsOfAll, type ScriptConditions, type TriedScripts } from "./script-conditions.ts";
import type { MatchGroups } from "./text-matcher.ts";

/** The script that answers a request, and the index of its reply. */
export interface ScriptMatch {
  readonly script: Script;
  readonly reply: ScriptReply;
  /** The named groups of the script's matchers, computed on first use. */
  readonly groups: () => MatchGroups;
  /** The search that found the script. */
  readonly search: ScriptSearch;
}

/**
 * Finds the first script that matches and counts it; undefined when there is none. Synchronous, so that concurrent
 * requests never get the same turn.
 */
export function takeMatch(
  book: ScriptBook,
  subject: Subject,
  search: ScriptSearch = new ScriptSearch(book.list()),
): ScriptMatch | undefined {
  const view = viewOf(subject);
  let at = -1;
  for (const script of book.list()) {
    at++;
    const { criteria, mostMatches, groups } = compileScript(script);
    const matches = book.matchesOf(script);
    if (matches >= mostMatches) {
      search.noteUsedUp(at);
      continue;
    }
    if (!allHold(criteria, view)) continue;
    const replyIndex = replyIndexFor(script, view, matches);
    search.noteMatch(at, replyIndex);
    const reply = script.replies[replyIndex] ?? script.replies[0];
    book.count(script);
    return { script, reply, groups: () => groups(view), search };
  }
  return undefined;
}

/** The script that would answer a request now. This does not count as a match. */
export function scriptFor(book: ScriptBook, view: RequestView): Script | undefined {
  return book.list().find((script) => {
    const { criteria, mostMatches } = compileScript(script);
    return book.matchesOf(script) < mostMatches && allHold(criteria, view);
  });
}

/** Whether all criteria hold. It is a loop, since a closure for each script that is tried costs a request 1 KB. */
function allHold(criteria: readonly Criterion[], view: RequestView): boolean {
  for (const { holds } of criteria) if (!holds(view)) return false;
  return true;
}

/** The number of the reply, from 0, by what the script counts. It may be beyond the last reply. */
const replyNumbers: Record<
  NonNullable<Script["count"]>,
  (view: RequestView, matches: number) => number
> = {
  match: (_, matches) => matches,
  step: ({ step }) => step,
  turn: ({ turn }) => turn,
};

function replyIndexFor(
  { replies: { length }, after, count = "match" }: Script,
  view: RequestView,
  matches: number,
): number {
  const number = replyNumbers[count](view, matches);
  return after === "cycle" ? number % length : Math.min(number, length - 1);
}

/** The scripts that a message names: at most three, since the intended one is hardly ever further down. */
const named: WhichMisses = { most: 3, areClose: true };
/** The most scripts listed in the journal. */
const mostMisses = 5;

/** Reads a request from its body. */
type ReadRequest = (body: JsonObject) => ChatRequest;

/**
 * The search for the script that answers a request. The search keeps what would be lost later: the conditions of the
 * scripts, and which scripts were used up. Why a script did not match is derived from the request on demand. The search
 * keeps no replies: the journal keeps the search, and with it the replies of replaced fixtures.
 */
export class ScriptSearch implements Answerer {
  readonly #scripts: TriedScripts;
  readonly #read: ReadRequest;
  /** The positions of the used-up scripts. */
  #usedUp: number[] | undefined;
  #foundAt: number | undefined;
  #replyIndex = 0;
  #isRefused = false;

  constructor(scripts: readonly Script[], read: ReadRequest = requestOf) {
    this.#scripts = conditionsOfAll(scripts);
    this.#read = read;
  }

  /** Whether there are no scripts. */
  get isEmpty(): boolean {
    return this.#scripts.all.length === 0;
  }

  /** Notes that the script at this position was skipped, since it was used up. */
  noteUsedUp(at: number): void {
    (this.#usedUp ??= []).push(at);
  }

  noteMatch(at: number, replyIndex: number): void {
    this.#foundAt = at;
    this.#replyIndex = replyIndex;
  }

  takeSize(): number {
    return this.#scripts.takeSize();
  }

  get #found(): ScriptConditions | undefined {
    return this.#foundAt === undefined ? undefined : this.#scripts.all[this.#foundAt];
  }

  /** Notes that no script matched and that the request is answered with an error. */
  noteRefusal(): void {
    this.#isRefused = true;
  }

  label(scene: AnswerScene): string {
    const found = this.#found;
    if (found !== undefined) return `script "${found.name}" reply ${this.#replyIndex + 1}`;
    const closest = this.#missesIn(scene).map(({ script }) => JSON.stringify(script));
    const answer = this.#isRefused ? "no script" : "echo";
    return closest.length === 0 ? answer : `${answer} (closest: ${closest.join(", ")})`;
  }

  outcome(): AnswerOutcome {
    if (this.#found === undefined) return {};
    const { name, replies } = this.#found;
    return replies.length === 1 ? { script: name } : { script: name, reply: this.#replyIndex };
  }

  details(scene: AnswerScene): AnswerDetails {
    const subject = this.#subjectIn(scene);
    const found = this.#found;
    const which = { most: mostMisses, areClose: false };
    const misses = subject === undefined ? [] : this.missesOf(subject, which);
    const told = misses.length === 0 ? { misses } : { misses, missed: this.#tried.length };
    if (found === undefined) return told;
    return { ...told, ...this.#explainFound(found, subject) };
  }

  /**
   * The scripts that came closest to a request without matching, closest first. Default: those that a message names.
   */
  missesOf(subject: Subject, which: WhichMisses = named): readonly MissedScript[] {
    const usedUp = new Set(this.#usedUp);
    const candidates = this.#tried.map((script, at) => ({ script, isUsedUp: usedUp.has(at) }));
    return closestMisses(candidates, subject, which);
  }

  /** The scripts that did not match. */
  get #tried(): readonly ScriptConditions[] {
    return this.#scripts.all.slice(0, this.#foundAt);
  }

  /** Which conditions of the script held, and which later scripts would have matched, too. */
  #explainFound(
    found: ScriptConditions,
    subject: Subject | undefined,
  ): Pick<AnswerDetails, "matched" | "alsoMatching"> {
    if (subject === undefined) return {};
    const matched = explainMatch(found, subject);
    const later = this.#scripts.all.slice((this.#foundAt ?? 0) + 1);
    const alsoMatching = matchingScripts(later, subject);
    return {
      ...(matched.length > 0 && { matched }),
      ...(alsoMatching.length > 0 && { alsoMatching }),
    };
  }

  #missesIn(scene: AnswerScene): readonly MissedScript[] {
    const subject = this.#subjectIn(scene);
    return subject === undefined ? [] : this.missesOf(subject);
  }

  /** The request, read again from its body. Undefined: the body is no longer kept, or is not a JSON object. */
  #subjectIn({ headers, body }: AnswerScene): Subject | undefined {
    if (body === undefined) return undefined;
    const sent = parseBody({ kind: "bytes", bytes: body });
    const value = sent.kind === "json" ? asObject(sent.value) : undefined;
    return value === undefined ? undefined : { request: this.#read(value), headers };
  }
}
