import { counted } from "../../errors/counted.ts";
import type {
  AnswerDetails,
  Answerer,
  AnswerScene,
  MissedCriterion,
  MissedScript,
} from "../../http/answerer.ts";
import { parseBody } from "../../http/json-body.ts";
import { requestOf } from "../request/read-request.ts";
import { asObject } from "../../schema/json.ts";
import type { ScriptList } from "../scripts/script-book.ts";
import type { Script } from "../scripts/script.ts";
import { type CompiledScript, compileScript } from "./compiled-script.ts";
import type { Criterion } from "./criteria.ts";
import { RequestView, type Subject } from "./request-view.ts";

/** Why a script did not match: a condition that does not hold. */
type Failure = MissedCriterion;

/** A script that did not match, with every condition that does not hold. */
export type Miss = MissedScript;

/** A script that did not match, and how many requests it has answered. */
interface Candidate {
  readonly compiled: CompiledScript;
  readonly matches: number;
}

/** So many scripts are named in a text: the one that was meant is hardly ever further down. */
const mostNamed = 3;
/** So many are looked at with all that the request has, which may be a lot. */
const mostRanked = 10;
/** So many characters are looked at to find those, over all scripts. */
const mostCompared = 2_000_000;

/**
 * The scripts that came closest to a request, closest first: by what fails and how far off it is, then by what holds,
 * then in order. Of a large request some texts may be left out when they are chosen, but not when they are explained.
 */
export function closestMisses(
  candidates: readonly Candidate[],
  subject: Subject,
  most: number = mostNamed,
): readonly Miss[] {
  const quick = new RequestView(subject, Math.ceil(mostCompared / (candidates.length + 1)));
  const view = new RequestView(subject);
  const near = rank(candidates, quick).slice(0, mostRanked);
  return rank(near, view)
    .slice(0, most)
    .map((candidate) => explainMiss(candidate, view));
}

/** Candidates by how close they come to a request. */
function rank(candidates: readonly Candidate[], view: RequestView): readonly Candidate[] {
  return candidates
    .map((candidate) => ({ candidate, ...closenessOf(candidate, view) }))
    .toSorted((left, right) => left.distance - right.distance || right.held - left.held)
    .map(({ candidate }) => candidate);
}

/** How far a script is from a match, and how many of its conditions hold. Two near failures are nearer than one other. */
function closenessOf(
  { compiled, matches }: Candidate,
  view: RequestView,
): { readonly distance: number; readonly held: number } {
  const failed = failedCriteria(compiled, view);
  let distance = isUsedUp(compiled, matches) ? 0.4 : 0;
  for (const { near } of failed.told) distance += near?.(view) === undefined ? 1 : 0.4;
  return { distance, held: compiled.criteria.length - failed.count };
}

/** The criteria that do not hold: those worth telling, and how many there are in all. */
function failedCriteria(
  { criteria }: CompiledScript,
  view: RequestView,
): { readonly told: readonly Criterion[]; readonly count: number } {
  const failed = criteria.filter((criterion) => !criterion.holds(view));
  // What is no result of a tool has neither a name nor a content that could be wrong.
  const isResult = failed.every(({ name }) => name !== "toolResult");
  const told = failed.filter(({ name }) => isResult || !name.startsWith("toolResult."));
  return { told, count: failed.length };
}

/** Says of a script what keeps it from answering a request. */
function explainMiss({ compiled, matches }: Candidate, view: RequestView): Miss {
  const failures = failedCriteria(compiled, view).told.map((criterion): Failure => {
    const words = criterion.near?.(view);
    const near = words === undefined ? {} : { near: words };
    return {
      criterion: criterion.name,
      expected: criterion.expected,
      seen: criterion.seen(view),
      ...near,
    };
  });
  const miss = { script: compiled.script.name, failures };
  return isUsedUp(compiled, matches) ? { ...miss, usedUp: whyUsedUp(compiled) } : miss;
}

/** Whether a script has given all the answers that it has. */
export function isUsedUp({ mostMatches }: CompiledScript, matches: number): boolean {
  return matches >= mostMatches;
}

function whyUsedUp({ script, mostMatches }: CompiledScript): string {
  return mostMatches === script.times
    ? `it has answered ${counted(mostMatches, "request")}, and "times" lets it answer no more`
    : 'it has given all its replies, and "after" is "end"';
}

/** The closest misses in words, a line for each. */
export function describeMisses(misses: readonly Miss[]): string {
  const [closest, ...next] = misses;
  if (closest === undefined) return "There are no scripts.";
  const others = next.map((miss) => `\nThen ${describe(miss)}`);
  return `The closest is ${describe(closest)}${others.join("")}`;
}

/** The names of the closest misses, for a log; undefined when there are no scripts. */
export function nameClosest(misses: readonly Miss[]): string | undefined {
  const names = misses.map(({ script }) => JSON.stringify(script));
  return names.length === 0 ? undefined : names.join(", ");
}

function describe({ script, failures, usedUp }: Miss): string {
  const reasons = failures.map(({ criterion, expected, seen, near }) => {
    const words = near === undefined ? "" : ` (${near})`;
    return `${criterion} has to be ${expected}, but it is ${seen}${words}`;
  });
  if (usedUp !== undefined) reasons.push(`it is used up: ${usedUp}`);
  return `${JSON.stringify(script)}: ${reasons.join("; ")}.`;
}

/** So many scripts are told of in the journal. */
const mostMisses = 5;

/**
 * The search for the script that answers a request. It notes what would be gone later: the scripts that there were and
 * which of them were used up. Why they did not match is worked out from the request when somebody asks.
 */
export class ScriptSearch implements Answerer {
  readonly #scripts: ScriptList;
  #usedUp: string[] | undefined;
  #found: Script | undefined;
  #replyIndex = 0;
  /** What the log says besides. */
  #remark = "";

  constructor(scripts: ScriptList) {
    this.#scripts = scripts;
  }

  /** A script might have matched, but had given all its answers. */
  noteUsedUp({ name }: Script): void {
    (this.#usedUp ??= []).push(name);
  }

  noteMatch(script: Script, replyIndex: number): void {
    this.#found = script;
    this.#replyIndex = replyIndex;
  }

  /** Adds what the log says of a script's answer, or says instead of its own words where no script was found. */
  noteRemark(remark: string): void {
    this.#remark = remark;
  }

  label(scene: AnswerScene): string {
    if (this.#found !== undefined) {
      return `script "${this.#found.name}" reply ${this.#replyIndex + 1}${this.#remark}`;
    }
    if (this.#remark !== "") return this.#remark;
    const closest = nameClosest(this.#misses(scene, undefined));
    return closest === undefined ? "echo" : `echo (closest: ${closest})`;
  }

  details(scene: AnswerScene): AnswerDetails {
    const misses = this.#misses(scene, mostMisses);
    const found = this.#found;
    if (found === undefined) return { misses };
    const { name, replies } = found;
    const reply = replies.length > 1 ? { reply: this.#replyIndex } : {};
    return { script: name, ...reply, misses };
  }

  /** Nothing is told of a request that is no longer there. */
  #misses({ headers, body }: AnswerScene, most: number | undefined): readonly MissedScript[] {
    if (body === undefined) return [];
    const sent = parseBody({ kind: "bytes", bytes: body });
    const value = sent.kind === "json" ? asObject(sent.value) : undefined;
    if (value === undefined) return [];
    const usedUp = new Set(this.#usedUp);
    const candidates = this.#before().map((script) => {
      const compiled = compileScript(script);
      return { compiled, matches: usedUp.has(script.name) ? compiled.mostMatches : 0 };
    });
    return closestMisses(candidates, { request: requestOf(value), headers }, most);
  }

  /** Those that were tried before one was found. */
  #before(): readonly Script[] {
    const { all } = this.#scripts;
    const place = this.#found === undefined ? -1 : all.indexOf(this.#found);
    return place === -1 ? all : all.slice(0, place);
  }
}
