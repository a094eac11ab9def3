import { didYouMean } from "../../errors/nearest-name.ts";
import type { Script, ScriptChoice, TextMatcher } from "./script.ts";

/** What a script says that it can say, but hardly means. */
export function doubtsAbout(script: Script): readonly string[] {
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
