import { didYouMean } from "../../errors/nearest-name.ts";
import { mostMatches } from "../matching/criteria.ts";
import { globCovers } from "../matching/glob.ts";
import { jsonEqual } from "../matching/json-path.ts";
import { isValid } from "../../schema/schema.ts";
import { functionName } from "../request/messages.ts";
import type { Script, ScriptChoice, ScriptReply, TextMatcher, When } from "./script.ts";
import { type CompiledText, compileText } from "../matching/text-matcher.ts";

/** A script that can never answer, since an earlier one answers all that it would. */
interface UnreachableScript {
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

/** A script or a reply that no request can ever get, by what the script itself says. */
interface UnusedPart {
  /** Keys and places from the script down. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What a script has that no request can get, whatever the other scripts are. */
export function unusedParts(script: Script): readonly UnusedPart[] {
  return [...unusableTool(script), ...unusedReplies(script)];
}

function unusableTool({ name, when }: Script): readonly UnusedPart[] {
  const tool = when?.tool;
  if (tool === undefined || isValid(functionName, tool)) return [];
  const [script, asked] = [JSON.stringify(name), JSON.stringify(tool)];
  const message =
    `The script ${script} can never answer: no function can be called ${asked}, and a request that offers it is ` +
    'refused. Names have at most 64 letters, digits, "_" and "-".';
  return [{ path: ["when", "tool"], message }];
}

function unusedReplies({ name, times = Infinity, replies }: Script): readonly UnusedPart[] {
  const all: readonly ScriptReply[] = replies;
  return all.slice(times).map((_, index) => ({
    path: ["replies", times + index],
    message:
      `Reply ${times + index + 1} of the script ${JSON.stringify(name)} can never be given: its "times" is ${times}. ` +
      'Raise "times", or leave it out and say "after": "end".',
  }));
}

/** What a script says that it can say, but hardly means. */
export function likelyMistakes(script: Script): readonly string[] {
  return [...slashedExpressions(script), ...misspeltReasons(script)];
}

/** Finish reasons that the service sends. Others can be scripted too: compatible services have some of their own. */
const usual = ["stop", "length", "tool_calls", "content_filter", "function_call"];

function misspeltReasons({ name, replies }: Script): readonly string[] {
  const choices = replies.flatMap((reply): readonly ScriptChoice[] => [
    reply,
    ...(reply.choices ?? []),
  ]);
  return choices.flatMap(({ finishReason }) => {
    if (finishReason === undefined || usual.includes(finishReason)) return [];
    const hint = didYouMean(finishReason, usual);
    if (hint === "") return [];
    const [script, reason] = [JSON.stringify(name), JSON.stringify(finishReason)];
    return [
      `The script ${script} has the finish reason ${reason}, which is not a usual one.${hint}`,
    ];
  });
}

/** A regular expression as it is written in code. Without flags it may be a path. */
const literal = /^\/(.+)\/([dgimsuvy]+)$/;

function slashedExpressions({ name, when = {} }: Script): readonly string[] {
  const { user, system, anyMessage, toolResult } = when;
  return [user, system, anyMessage, toolResult?.content].flatMap(expressionsOf).flatMap((regex) => {
    const [, source, flags] = literal.exec(regex) ?? [];
    if (source === undefined) return [];
    const [script, written] = [JSON.stringify(name), JSON.stringify(regex)];
    const meant = `"regex": ${JSON.stringify(source)}, "flags": ${JSON.stringify(flags)}`;
    return [
      `The script ${script} looks for ${written} with its slashes. Did you mean { ${meant} }?`,
    ];
  });
}

function expressionsOf(matcher: TextMatcher | undefined): readonly string[] {
  if (matcher === undefined || typeof matcher === "string") return [];
  if ("anyOf" in matcher) return matcher.anyOf.flatMap(expressionsOf);
  return "regex" in matcher ? [matcher.regex] : [];
}
