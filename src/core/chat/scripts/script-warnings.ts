import { lowerCased } from "../../http/reply.ts";
import { endsWithReplies, mostMatches, typesOfPart } from "../matching/criteria.ts";
import { globCovers } from "../matching/glob.ts";
import { jsonEqual } from "../matching/json-path.ts";
import { textMatchersIn } from "../matching/expressions.ts";
import { compileText } from "../matching/text-matcher.ts";
import { jsonValues, type ValueSort, wholeTexts } from "../matching/value-matcher.ts";
import { valueCovers } from "../matching/value-relations.ts";
import type { Script, TextMatcher, ValueMatcher, When } from "./script.ts";

/** A script that can never answer, since an earlier one answers all its requests. */
interface UnreachableScript {
  readonly script: Script;
  readonly index: number;
  readonly earlier: Script;
  readonly earlierIndex: number;
}

/**
 * The scripts that can never answer because one before them always does. No false alarms; a script that only several
 * earlier ones hide together is not found.
 */
export function unreachableScripts(scripts: readonly Script[]): readonly UnreachableScript[] {
  const lasting: { readonly earlier: Script; readonly earlierIndex: number }[] = [];
  const found: UnreachableScript[] = [];
  for (const [index, script] of scripts.entries()) {
    const hiding = lasting.find(({ earlier }) => covers(earlier.when ?? {}, script.when ?? {}));
    if (hiding !== undefined) found.push({ script, index, ...hiding });
    // A hidden script hides nothing that its own cover does not hide.
    else if (mostMatches(script) === Infinity && !endsWithReplies(script)) {
      lasting.push({ earlier: script, earlierIndex: index });
    }
  }
  return found;
}

/** Whether every request that fits one `when` fits another. False when in doubt. */
export function covers(wide: When, narrow: When): boolean {
  return (
    (["stream", "turn", "tool"] as const).every((key) => isSameOrOpen(wide[key], narrow[key])) &&
    // Before the first assistant message there is none since the last user message either.
    isSameOrOpen(wide.step, narrow.turn === 0 ? 0 : narrow.step) &&
    coversPart(wide.part, narrow.part) &&
    (wide.model === undefined || globCovers(wide.model, narrow.model ?? "*")) &&
    coversValues(wide.request, narrow.request, jsonValues) &&
    coversValues(lowerCased(wide.header), lowerCased(narrow.header), wholeTexts) &&
    coversToolResult(wide.toolResult, narrow.toolResult) &&
    coversText(wide.user, [narrow.user]) &&
    coversText(wide.assistant, [narrow.assistant]) &&
    coversText(wide.system, [narrow.system]) &&
    coversText(
      wide.anyMessage,
      textMatchersIn(narrow).map(({ matcher }) => matcher),
    )
  );
}

function coversToolResult(wide: When["toolResult"], narrow: When["toolResult"]): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  return (
    isSameOrOpen(wide.name, narrow.name) &&
    coversValue(wide.id, narrow.id, wholeTexts) &&
    coversText(wide.content, [narrow.content])
  );
}

function coversPart(wide: string | undefined, narrow: string | undefined): boolean {
  if (wide === undefined || narrow === undefined) return wide === undefined;
  return typesOfPart(narrow).every((type) => typesOfPart(wide).includes(type));
}

function isSameOrOpen(wide: unknown, narrow: unknown): boolean {
  return wide === undefined || wide === narrow;
}

type Matchers = Readonly<Record<string, ValueMatcher>>;

function coversValues(wide: Matchers = {}, narrow: Matchers = {}, sort: ValueSort): boolean {
  return Object.entries(wide).every(([key, matcher]) =>
    coversValue(matcher, Object.hasOwn(narrow, key) ? narrow[key] : undefined, sort),
  );
}

function coversValue(
  wide: ValueMatcher | undefined,
  narrow: ValueMatcher | undefined,
  sort: ValueSort,
): boolean {
  if (wide === undefined || narrow === undefined) return wide === undefined;
  return valueCovers(wide, narrow, sort);
}

/** Whether one of the narrow matchers accepts only texts that the wide one accepts. */
function coversText(
  wide: TextMatcher | undefined,
  narrow: readonly (TextMatcher | undefined)[],
): boolean {
  if (wide === undefined) return true;
  return narrow.some((matcher) => matcher !== undefined && textCovers(wide, matcher));
}

function textCovers(wide: TextMatcher, narrow: TextMatcher): boolean {
  if (typeof narrow !== "string" && "anyOf" in narrow) {
    return narrow.anyOf.every((alternative) => textCovers(wide, alternative));
  }
  if (typeof wide !== "string" && "anyOf" in wide) {
    return wide.anyOf.some((alternative) => textCovers(alternative, narrow));
  }
  const part = partOf(wide);
  if (typeof narrow !== "string" && "equals" in narrow) {
    const { equals } = narrow;
    return part === undefined ? compileText(wide).holds(equals) : equals.includes(part);
  }
  if (part === undefined) return jsonEqual(wide, narrow);
  return part === "" || (partOf(narrow)?.includes(part) ?? false);
}

/** The text that a match must contain. */
function partOf(matcher: TextMatcher): string | undefined {
  if (typeof matcher === "string") return matcher;
  return "contains" in matcher ? matcher.contains : undefined;
}
