import { headerNameProblems } from "./check-headers.ts";
import type { ScriptProblem } from "./script-problem.ts";
import type { TextMatcher, When } from "./script.ts";
import { compileText } from "./text-matcher.ts";
import { wholeNumber } from "./whole-number.ts";

type Path = ScriptProblem["path"];

/** Everything that is wrong with a `when` and that its form alone does not tell. */
export function checkWhen(when: When): ScriptProblem[] {
  return [
    ...(["user", "system", "anyMessage"] as const).flatMap((key) =>
      checkMatcher(when[key], ["when", key]),
    ),
    ...checkMatcher(when.toolResult?.content, ["when", "toolResult", "content"]),
    ...checkWantedHeaders(when.header ?? {}, ["when", "header"]),
    ...checkPaths(Object.keys(when.request ?? {}), ["when", "request"]),
    ...(when.turn === undefined ? [] : wholeNumber(when.turn, 0, ["when", "turn"])),
  ];
}

function checkMatcher(matcher: TextMatcher | undefined, path: Path): ScriptProblem[] {
  if (matcher === undefined || typeof matcher === "string") return [];
  if ("anyOf" in matcher) {
    return matcher.anyOf.flatMap((item, index) => checkMatcher(item, [...path, "anyOf", index]));
  }
  if (!("regex" in matcher)) return [];
  try {
    compileText(matcher);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ path: [...path, "regex"], message }];
  }
}

const paddedHeader = "has white space at its ends, which no header that arrives has; remove it";

function checkWantedHeaders(
  headers: Readonly<Record<string, string>>,
  path: Path,
): ScriptProblem[] {
  return [
    ...headerNameProblems(Object.keys(headers), path),
    ...Object.entries(headers).flatMap(([name, value]) =>
      value === value.trim() ? [] : [{ path: [...path, name], message: paddedHeader }],
    ),
  ];
}

/**
 * A place in an array as JavaScript writes it, where no service has a key of such a name: in that of an argument,
 * and in messages. Keys of the client's own, such as those of `metadata`, can have any name.
 */
const bracketed = /^(?:[^.\\[\]]+|(?:messages|tools)\..*)\[\d+\](?:\.|\[|$)/;

function checkPaths(requested: readonly string[], path: Path): ScriptProblem[] {
  return requested.flatMap((name) => {
    if (!bracketed.test(name)) return [];
    const dotted = name.replaceAll(/\.?\[(\d+)\]/g, ".$1");
    const message = `is no dotted path: places in arrays have dots too; write "${dotted}"`;
    return [{ path: [...path, name], message }];
  });
}
