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
import type { MatchGroups } from "./text-matcher.ts";

/** The script that answers a request, and the index of its reply. */
export interface ScriptMatch {
  readonly script: Script;
  readonly reply: ScriptReply;
  /** The named groups of the script's matchers, computed on first use. */
  readonly groups: () => MatchGroups;
  /** How it was found. */
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
  for (const script of book.list()) {
    const { criteria, mostMatches, groups } = compileScript(script);
    const matches = book.matchesOf(script);
    if (matches >= mostMatches) {
      search.noteUsedUp(script);
      continue;
    }
    if (!allHold(criteria, view)) continue;
    const replyIndex = replyIndexFor(script, view, matches);
    search.noteMatch(script, replyIndex);
    const reply = script.replies[replyIndex] ?? script.replies[0];
    book.count(script);
    return { script, reply, groups: () => groups(view), search };
  }
  return undefined;
}

/** The script that would answer a request now. Nothing is counted. */
export function scriptFor(book: ScriptBook, view: RequestView): Script | undefined {
  return book.list().find((script) => {
    const { criteria, mostMatches } = compileScript(script);
    return book.matchesOf(script) < mostMatches && allHold(criteria, view);
  });
}

/** A loop: a closure for each script that is tried costs a request 1 KB. */
function allHold(criteria: readonly Criterion[], view: RequestView): boolean {
  for (const { holds } of criteria) if (!holds(view)) return false;
  return true;
}

/** The number of the reply, before those that follow the last one. */
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

/** The most scripts named in a message: the intended one is hardly ever further down. */
const named: WhichMisses = { most: 3, areClose: true };
/** The most scripts listed in the journal. */
const mostMisses = 5;

/** Reads a request from its body. */
type ReadRequest = (body: JsonObject) => ChatRequest;

/**
 * The search for the script that answers a request. It keeps what would be lost later: the scripts and which of them
 * were used up. Why they did not match is derived from the request on demand.
 */
export class ScriptSearch implements Answerer {
  readonly #scripts: readonly Script[];
  readonly #read: ReadRequest;
  #usedUp: Script[] | undefined;
  #found: Script | undefined;
  #replyIndex = 0;
  #isRefused = false;

  constructor(scripts: readonly Script[], read: ReadRequest = requestOf) {
    this.#scripts = scripts;
    this.#read = read;
  }

  /** Whether there are no scripts. */
  get isEmpty(): boolean {
    return this.#scripts.length === 0;
  }

  /** A script might have matched, but was used up. */
  noteUsedUp(script: Script): void {
    (this.#usedUp ??= []).push(script);
  }

  noteMatch(script: Script, replyIndex: number): void {
    this.#found = script;
    this.#replyIndex = replyIndex;
  }

  /** No script matched, which is an error. */
  noteRefusal(): void {
    this.#isRefused = true;
  }

  label(scene: AnswerScene): string {
    if (this.#found !== undefined) {
      return `script "${this.#found.name}" reply ${this.#replyIndex + 1}`;
    }
    const closest = this.#missesIn(scene).map(({ script }) => JSON.stringify(script));
    const answer = this.#isRefused ? "no script" : "echo";
    return closest.length === 0 ? answer : `${answer} (closest: ${closest.join(", ")})`;
  }

  outcome(): AnswerOutcome {
    return this.#found === undefined ? {} : { script: this.#found.name };
  }

  details(scene: AnswerScene): AnswerDetails {
    const subject = this.#subjectIn(scene);
    const found = this.#found;
    const which = { most: mostMisses, areClose: false };
    const misses = subject === undefined ? [] : this.missesOf(subject, which);
    const told = misses.length === 0 ? { misses } : { misses, missed: this.#tried.length };
    if (found === undefined) return told;
    const reply = found.replies.length > 1 ? { reply: this.#replyIndex } : {};
    return { ...reply, ...told, ...this.#explainFound(found, subject) };
  }

  /** The scripts that came closest to a request without matching, closest first. Default: those worth naming. */
  missesOf(subject: Subject, which: WhichMisses = named): readonly MissedScript[] {
    const usedUp = new Set(this.#usedUp);
    const candidates = this.#tried.map((script) => ({ script, isUsedUp: usedUp.has(script) }));
    return closestMisses(candidates, subject, which);
  }

  /** The scripts that did not match. */
  get #tried(): readonly Script[] {
    const all = this.#scripts;
    return this.#found === undefined ? all : all.slice(0, all.indexOf(this.#found));
  }

  /** Which conditions of the script held, and which later scripts would have matched, too. */
  #explainFound(
    found: Script,
    subject: Subject | undefined,
  ): Pick<AnswerDetails, "matched" | "alsoMatching"> {
    if (subject === undefined) return {};
    const matched = explainMatch(found, subject);
    const later = this.#scripts.slice(this.#scripts.indexOf(found) + 1);
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

  /** A request that is gone explains nothing. */
  #subjectIn({ headers, body }: AnswerScene): Subject | undefined {
    if (body === undefined) return undefined;
    const sent = parseBody({ kind: "bytes", bytes: body });
    const value = sent.kind === "json" ? asObject(sent.value) : undefined;
    return value === undefined ? undefined : { request: this.#read(value), headers };
  }
}
