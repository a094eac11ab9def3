import { counted } from "../../errors/counted.ts";
import type { AnswerDetails, Answerer, AnswerScene, MissedScript } from "../../http/answerer.ts";
import { parseBody } from "../../http/json-body.ts";
import { asObject } from "../../schema/json.ts";
import { requestOf } from "../request/chat-request.ts";
import type { ScriptList } from "../scripts/script-book.ts";
import type { Script } from "../scripts/script.ts";
import {
  type CompiledScript,
  compileScript,
  type Criterion,
  type RequestView,
  type Subject,
  viewOf,
} from "./criteria.ts";
import { type FormsOf, keepForms } from "./nearness.ts";

/** So many scripts are named in a text: the one that was meant is hardly ever further down. */
const mostNamed = 3;
/** So many scripts are told of in the journal. */
const mostMisses = 5;
/** So many characters are looked at, over all scripts: some 20 ms. */
const mostCompared = 20_000_000;

/**
 * The search for the script that answers a request. It notes what would be gone later: the scripts that there were and
 * which of them were used up. Why they did not match is worked out from the request when somebody asks.
 */
export class ScriptSearch implements Answerer {
  readonly #scripts: ScriptList;
  #usedUp: Script[] | undefined;
  #found: Script | undefined;
  #replyIndex = 0;
  #isRefused = false;

  constructor(scripts: ScriptList) {
    this.#scripts = scripts;
  }

  /** A script might have matched, but had given all its answers. */
  noteUsedUp(script: Script): void {
    (this.#usedUp ??= []).push(script);
  }

  noteMatch(script: Script, replyIndex: number): void {
    this.#found = script;
    this.#replyIndex = replyIndex;
  }

  /** No script matched, and that is an error. */
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

  details(scene: AnswerScene): AnswerDetails {
    const misses = this.#missesIn(scene, mostMisses);
    const found = this.#found;
    if (found === undefined) return { misses };
    const { name, replies } = found;
    const reply = replies.length > 1 ? { reply: this.#replyIndex } : {};
    return { script: name, ...reply, misses };
  }

  /** The scripts that came closest to a request and did not match it, closest first. */
  missesOf(subject: Subject, most: number = mostNamed): readonly MissedScript[] {
    const { all } = this.#scripts;
    const tried = this.#found === undefined ? all : all.slice(0, all.indexOf(this.#found));
    const usedUp = new Set(this.#usedUp);
    const candidates = tried.map((script) => ({ script, isUsedUp: usedUp.has(script) }));
    return closestMisses(candidates, subject, most);
  }

  /** Nothing is told of a request that is no longer there. */
  #missesIn({ headers, body }: AnswerScene, most?: number): readonly MissedScript[] {
    if (body === undefined) return [];
    const sent = parseBody({ kind: "bytes", bytes: body });
    const value = sent.kind === "json" ? asObject(sent.value) : undefined;
    return value === undefined ? [] : this.missesOf({ request: requestOf(value), headers }, most);
  }
}

/** A script that did not match. */
interface Candidate {
  readonly script: Script;
  readonly isUsedUp: boolean;
}

/**
 * The scripts that came closest to a request, closest first: by what fails and how far off it is, then by what holds,
 * then in order. Where a request is very long beside many scripts, only the first of them are looked at.
 */
function closestMisses(
  candidates: readonly Candidate[],
  subject: Subject,
  most: number,
): readonly MissedScript[] {
  const view = viewOf(subject);
  const formsOf = keepForms();
  const characters = view.allTexts.reduce((total, { length }) => total + length, 1);
  return candidates
    .slice(0, Math.max(most, Math.floor(mostCompared / characters)))
    .map((candidate) => explainMiss(candidate, view, formsOf))
    .toSorted((left, right) => left.distance - right.distance || right.held - left.held)
    .slice(0, most)
    .map(({ miss }) => miss);
}

interface ExplainedMiss {
  readonly miss: MissedScript;
  /** How far the script is from a match. Two near failures are nearer than one other. */
  readonly distance: number;
  /** How many of its conditions hold. */
  readonly held: number;
}

/** Says of a script what keeps it from answering a request. */
function explainMiss(
  { script, isUsedUp }: Candidate,
  view: RequestView,
  formsOf: FormsOf,
): ExplainedMiss {
  const compiled = compileScript(script);
  const failed = compiled.criteria.filter((criterion) => !criterion.holds(view));
  let distance = isUsedUp ? 0.4 : 0;
  const failures = worthTelling(failed).map((criterion) => {
    const near = criterion.near?.(view, formsOf);
    distance += near === undefined ? 1 : 0.4;
    const { name, expected, seen } = criterion;
    return { criterion: name, expected, seen: seen(view), ...(near !== undefined && { near }) };
  });
  const miss = { script: script.name, failures };
  return {
    miss: isUsedUp ? { ...miss, usedUp: whyUsedUp(compiled) } : miss,
    distance,
    held: compiled.criteria.length - failed.length,
  };
}

/** What is no result of a tool has neither a name nor a content that could be wrong. */
function worthTelling(failed: readonly Criterion[]): readonly Criterion[] {
  const isResult = failed.every(({ name }) => name !== "toolResult");
  return failed.filter(({ name }) => isResult || !name.startsWith("toolResult."));
}

function whyUsedUp({ script, mostMatches }: CompiledScript): string {
  return mostMatches === script.times
    ? `it has answered ${counted(mostMatches, "request")}, and "times" lets it answer no more`
    : 'it has given all its replies, and "after" is "end"';
}

/** The closest misses in words, a line for each. */
export function describeMisses(misses: readonly MissedScript[]): string {
  const [closest, ...next] = misses;
  if (closest === undefined) return "There are no scripts.";
  const others = next.map((miss) => `\nThen ${describe(miss)}`);
  return `The closest is ${describe(closest)}${others.join("")}`;
}

function describe({ script, failures, usedUp }: MissedScript): string {
  const reasons = failures.map(({ criterion, expected, seen, near }) => {
    const words = near === undefined ? "" : ` (${near})`;
    return `${criterion} has to be ${expected}, but it is ${seen}${words}`;
  });
  if (usedUp !== undefined) reasons.push(`it is used up: ${usedUp}`);
  return `${JSON.stringify(script)}: ${reasons.join("; ")}.`;
}
