import { counted } from "../../errors/show.ts";
import type { MissedScript, SeenCriterion } from "../../http/answerer.ts";
import {
  type CompiledScript,
  compileScript,
  type Criterion,
  type RequestView,
  type Subject,
  viewOf,
} from "./criteria.ts";
import { type FormsOf, keepForms } from "./nearness.ts";
import type { ScriptConditions } from "./script-conditions.ts";

/** The most characters compared over all scripts: some 20 ms. */
const mostCompared = 20_000_000;

/** A script that did not match. */
export interface Candidate {
  readonly script: ScriptConditions;
  readonly isUsedUp: boolean;
}

/** Which of the scripts that did not match are listed. */
export interface WhichMisses {
  readonly most: number;
  /** Whether to leave out scripts that share nothing with the request. */
  readonly areClose: boolean;
}

/**
 * The scripts that came closest to a request, closest first: by what fails and how far off it is, then by what holds,
 * then in order. For a very long request and many scripts, only the first scripts are compared.
 */
export function closestMisses(
  candidates: readonly Candidate[],
  subject: Subject,
  { most, areClose }: WhichMisses,
): readonly MissedScript[] {
  const view = viewOf(subject);
  const formsOf = keepForms();
  const characters = view.allTexts.reduce((total, { length }) => total + length, 1);
  return candidates
    .slice(0, Math.max(most, Math.floor(mostCompared / characters)))
    .map((candidate) => explainMiss(candidate, view, formsOf))
    .filter(({ isClose }) => isClose || !areClose)
    .toSorted((left, right) => left.distance - right.distance || right.held - left.held)
    .slice(0, most)
    .map(({ miss }) => miss);
}

interface ExplainedMiss {
  readonly miss: MissedScript;
  /** How far the script is from a match. Two near failures are closer than one other failure. */
  readonly distance: number;
  /** The number of the script's conditions that hold. */
  readonly held: number;
  /** Whether a condition on the contents of a request holds or nearly holds. */
  readonly isClose: boolean;
}

/** Conditions that say nothing about the contents of a request. */
const general = ["model", "stream", "turn", "step"];

/** Explains why a script does not answer a request. */
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
  const held = compiled.criteria.filter((criterion) => !failed.includes(criterion));
  const miss = {
    script: script.name,
    failures,
    ...(held.length > 0 && { held: held.map(({ name }) => name) }),
  };
  const isNear = failures.some(({ near }) => near !== undefined);
  return {
    miss: isUsedUp ? { ...miss, usedUp: whyUsedUp(compiled) } : miss,
    distance,
    held: held.length,
    isClose: isUsedUp || isNear || held.some(({ name }) => !general.includes(name)),
  };
}

/** The conditions of a script that matched, each with the value that it saw. */
export function explainMatch(script: ScriptConditions, subject: Subject): readonly SeenCriterion[] {
  const view = viewOf(subject);
  const { criteria } = compileScript(script);
  return criteria.map(({ name, expected, seen }) => ({
    criterion: name,
    expected,
    seen: seen(view),
  }));
}

/** How many of the scripts after the one that answered are tried, and how many are named, at most. */
const mostLater = { tried: 1000, named: 20 };

/** The names of the scripts whose conditions a request meets, in order. */
export function matchingScripts(
  scripts: readonly ScriptConditions[],
  subject: Subject,
): readonly string[] {
  const view = viewOf(subject);
  return scripts
    .slice(0, mostLater.tried)
    .filter((script) => compileScript(script).criteria.every(({ holds }) => holds(view)))
    .slice(0, mostLater.named)
    .map(({ name }) => name);
}

/** Without a tool result, only the criterion `toolResult` is listed: its name and content cannot be compared. */
function worthTelling(failed: readonly Criterion[]): readonly Criterion[] {
  const isResult = failed.every(({ name }) => name !== "toolResult");
  return failed.filter(({ name }) => isResult || !name.startsWith("toolResult."));
}

function whyUsedUp({ script, mostMatches }: CompiledScript): string {
  return mostMatches === script.times
    ? `it has answered ${counted(mostMatches, "request")}, as many as "times" allows`
    : 'it has given all its replies, and "after" is "end"';
}

/** The closest misses in words, one per line. `isEmpty`: there are no scripts at all. */
export function describeMisses(misses: readonly MissedScript[], isEmpty = false): string {
  const [closest, ...next] = misses;
  if (closest === undefined) return isEmpty ? "There are no scripts." : "None comes close to it.";
  const others = next.map((miss) => `\nThen ${describe(miss)}`);
  return `The closest is ${describe(closest)}${others.join("")}`;
}

function describe({ script, failures, usedUp }: MissedScript): string {
  const reasons = failures.map(({ criterion, expected, seen, near }) => {
    const words = near === undefined ? "" : ` (${near})`;
    return `${criterion} must be ${expected}, but it is ${seen}${words}`;
  });
  if (usedUp !== undefined) reasons.push(`it is used up: ${usedUp}`);
  return `${JSON.stringify(script)}: ${reasons.join("; ")}.`;
}
