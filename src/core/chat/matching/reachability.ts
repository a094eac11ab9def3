import { mostMatches } from "./compile-script.ts";
import { globCovers } from "./glob.ts";
import { jsonEqual } from "./json-path.ts";
import type { Script, TextMatcher, When } from "../scripts/script.ts";
import { type CompiledText, compileText } from "../scripts/text-matcher.ts";

/** A script that can never answer, since an earlier one answers all that it would. */
export interface UnreachableScript {
  readonly script: Script;
  readonly index: number;
  readonly earlier: Script;
  readonly earlierIndex: number;
}

/**
 * The scripts that can never answer because one before them always does. None is named wrongly; one that several
 * earlier scripts hide together is not found.
 */
export function unreachableScripts(scripts: readonly Script[]): readonly UnreachableScript[] {
  const lasting: { readonly earlier: Script; readonly earlierIndex: number }[] = [];
  const found: UnreachableScript[] = [];
  for (const [index, script] of scripts.entries()) {
    const hiding = lasting.find(({ earlier }) => covers(earlier.when ?? {}, script.when ?? {}));
    if (hiding !== undefined) found.push({ script, index, ...hiding });
    // Whatever a hidden script hides is hidden by the one that hides it.
    else if (mostMatches(script) === Infinity) {
      lasting.push({ earlier: script, earlierIndex: index });
    }
  }
  return found;
}

/** Whether every request that one `when` holds for is one that another holds for. It may say no in doubt. */
export function covers(wide: When, narrow: When): boolean {
  return (
    coversPlain(wide, narrow) &&
    coversToolResult(wide.toolResult, narrow.toolResult) &&
    coversText(wide.user, [narrow.user]) &&
    coversText(wide.system, [narrow.system]) &&
    coversText(wide.anyMessage, [
      narrow.anyMessage,
      narrow.user,
      narrow.system,
      narrow.toolResult?.content,
    ]) &&
    coversNamed(wide, narrow)
  );
}

function coversPlain(wide: When, narrow: When): boolean {
  return (
    (wide.stream === undefined || wide.stream === narrow.stream) &&
    (wide.turn === undefined || wide.turn === narrow.turn) &&
    (wide.tool === undefined || wide.tool === narrow.tool) &&
    (wide.model === undefined || globCovers(wide.model, narrow.model ?? "*"))
  );
}

function coversNamed(wide: When, narrow: When): boolean {
  const headers = new Map(
    Object.entries(narrow.header ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const values = new Map(Object.entries(narrow.request ?? {}));
  return (
    Object.entries(wide.header ?? {}).every(
      ([name, value]) => headers.get(name.toLowerCase()) === value,
    ) &&
    Object.entries(wide.request ?? {}).every(
      ([path, value]) => values.has(path) && jsonEqual(value, values.get(path)),
    )
  );
}

function coversToolResult(wide: When["toolResult"], narrow: When["toolResult"]): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  return (
    (wide.name === undefined || wide.name === narrow.name) &&
    coversText(wide.content, [narrow.content])
  );
}

/** Whether one of the narrow matchers holds only for texts that the wide one holds for. */
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
  if (typeof narrow !== "string" && "equals" in narrow) {
    return holds(wide, narrow.equals);
  }
  const part = partOf(wide);
  if (part !== undefined) return part === "" || (partOf(narrow)?.includes(part) ?? false);
  return isSameExpression(wide, narrow);
}

/** Prepared matchers: each is asked of all scripts that come later. */
const compiled = new WeakMap<object, CompiledText>();

function holds(matcher: TextMatcher, text: string): boolean {
  if (typeof matcher === "string") return text.includes(matcher);
  const known = compiled.get(matcher) ?? compileText(matcher);
  compiled.set(matcher, known);
  return known.holds(text);
}

/** What a text has to contain. */
function partOf(matcher: TextMatcher): string | undefined {
  if (typeof matcher === "string") return matcher;
  return "contains" in matcher ? matcher.contains : undefined;
}

function isSameExpression(wide: TextMatcher, narrow: TextMatcher): boolean {
  if (typeof wide === "string" || typeof narrow === "string") return false;
  if (!("regex" in wide) || !("regex" in narrow)) return false;
  const [flags = "", others = ""] = [wide.flags, narrow.flags];
  // No flag can be there twice.
  const isSame =
    flags.length === others.length && flags.split("").every((flag) => others.includes(flag));
  return wide.regex === narrow.regex && isSame;
}
