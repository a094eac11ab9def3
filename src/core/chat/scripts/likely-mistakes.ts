import { didYouMean, nearestName, showText } from "../../errors/show.ts";
import { isObject, type JsonPath } from "../../schema/json.ts";
import { responsesFieldNames } from "../forms/responses-request.ts";
import { partTypeNames } from "../matching/criteria.ts";
import {
  expressionsIn,
  type PlacedMatcher,
  textMatchersIn,
  valueMatchersIn,
} from "../matching/expressions.ts";
import { isExactGlob, matchesGlob } from "../matching/glob.ts";
import { stepsOf } from "../matching/json-path.ts";
import type { Model } from "../models.ts";
import { chatFieldNames } from "../request/fields.ts";
import type { Script, When } from "./script.ts";
import type { ScriptProblem } from "./script-problem.ts";

/** Finds parts of a script that are valid, but have no effect or are probably not what was meant. */
type Doubt = (script: Script, when: When) => readonly ScriptProblem[];

/** The parts of a script that are valid but probably mistakes. `listed` are the only models that a request can name. */
export function likelyMistakes(
  script: Script,
  listed?: readonly Model[],
): readonly ScriptProblem[] {
  const { name, when = {} } = script;
  const owner = `The script ${showText(name)}`;
  return [...doubts, modelDoubt(listed)]
    .flatMap((doubtIn) => doubtIn(script, when))
    .map(({ path, message }) => ({ path, message: `${owner} ${message}` }));
}

const doubts: readonly Doubt[] = [
  (_, when) => expressionsIn(when).flatMap(doubtSlashes),
  (_, when) => literalsIn(when).flatMap(doubtStar),
  (_, { tool }) => doubtTool(tool, ["when", "tool"]),
  (_, { toolResult }) => doubtTool(toolResult?.name, ["when", "toolResult", "name"]),
  (_, { request = {} }) => Object.keys(request).flatMap(doubtField),
  (_, { part }) => doubtPart(part),
  (_, when) => doubtEarlyResult(when),
  (script) => doubtTimes(script),
  (script, when) => doubtCount(script, when),
];

function doubt(path: JsonPath, message: string): readonly ScriptProblem[] {
  return [{ path, message }];
}

/** A regular expression between slashes, as in code. Flags are required, since the text may be a path without them. */
const literal = /^\/(.+)\/([dgimsuvy]+)$/;

function doubtSlashes({
  path,
  regex,
}: ReturnType<typeof expressionsIn>[number]): readonly ScriptProblem[] {
  const [, source, flags] = literal.exec(regex) ?? [];
  if (source === undefined) return [];
  const meant = `"regex": ${JSON.stringify(source)}, "flags": ${JSON.stringify(flags)}`;
  return doubt(
    ["when", ...path],
    `looks for ${JSON.stringify(regex)} with its slashes. Did you mean { ${meant} }?`,
  );
}

/** A text that a value must equal or contain. */
interface PlacedLiteral {
  readonly path: JsonPath;
  readonly text: string;
}

function literalsIn(when: When): readonly PlacedLiteral[] {
  return [...textMatchersIn(when), ...valueMatchersIn(when)].flatMap(literalsOf);
}

function literalsOf({ path, matcher }: PlacedMatcher<unknown>): readonly PlacedLiteral[] {
  if (typeof matcher === "string") return [{ path, text: matcher }];
  if (!isObject(matcher)) return [];
  const inKey = (key: string): readonly PlacedLiteral[] => {
    const text = matcher[key];
    return typeof text === "string" ? [{ path: [...path, key], text }] : [];
  };
  const { anyOf } = matcher;
  const alternatives: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
  return [
    ...inKey("equals"),
    ...inKey("contains"),
    ...alternatives.flatMap((one, index) =>
      literalsOf({ path: [...path, "anyOf", index], matcher: one }),
    ),
  ];
}

/** Headers in which a star has a meaning of its own. */
const withStars = /^(?:accept(?:-.*)?|if-match|if-none-match|access-control-.*|content-range)$/i;
/**
 * A text with a star at its end, and at most one more at its start. People hardly write such a text unless they mean a
 * glob.
 */
const globLike = /^\*?[^*]*[^*\s]\*$/;

function doubtStar({ path, text }: PlacedLiteral): readonly ScriptProblem[] {
  const [place, name = ""] = path;
  const isGlob =
    place === "header" ? text.includes("*") && !withStars.test(String(name)) : globLike.test(text);
  if (!isGlob) return [];
  return doubt(
    ["when", ...path],
    `looks for ${showText(text)}, in which "*" stands for itself. Did you mean ${matcherFor(text)}?`,
  );
}

/** The matcher that does what a glob would. */
function matcherFor(glob: string): string {
  if (/^\*+$/.test(glob)) return '{ "exists": true }';
  const inner = glob.replace(/^\*/, "").replace(/\*$/, "");
  if (glob.startsWith("*") && glob.endsWith("*") && !inner.includes("*")) {
    return `{ "contains": ${JSON.stringify(inner)} }`;
  }
  const parts = glob.split("*").map((part) => part.replaceAll(/[\\^$.+?()[\]{}|]/g, "\\$&"));
  const source = `^${parts.join(".*")}$`.replace(/^\^\.\*/, "").replace(/\.\*\$$/, "");
  return `{ "regex": ${JSON.stringify(source)} }`;
}

/** The names of tools that the service accepts. */
const toolName = /^[a-zA-Z0-9_-]+$/;

function doubtTool(name: string | undefined, path: JsonPath): readonly ScriptProblem[] {
  if (name === undefined || toolName.test(name)) return [];
  return doubt(
    path,
    `is for a tool called ${showText(name)}, but names of tools have only letters, digits, "_" and "-".`,
  );
}

/** Arguments that other services have. They resemble arguments of the service, but are not misspelt. */
const ofOthers = ["top_k", "min_p", "top_a", "thinking", "think", "models", "prompt", "options"];
const known = [...new Set([...chatFieldNames, ...responsesFieldNames, ...ofOthers])];
const arrays = ["messages", "tools", "functions"];

function doubtField(path: string): readonly ScriptProblem[] {
  const [field = "", second] = stepsOf(path);
  const place = ["when", "request", path];
  if (!known.includes(field)) {
    const advice = didYouMean(field, known);
    if (advice === "") return [];
    return doubt(place, `looks at ${showText(field)}, which is no argument of a chat.${advice}`);
  }
  if (!arrays.includes(field) || second === undefined || /^-?\d+$/.test(second)) return [];
  const indexed = `${field}.-1.${path.slice(field.length + 1)}`;
  return doubt(
    place,
    `looks at ${showText(path)}, but ${showText(field)} is an array. Did you mean ${showText(indexed)}?`,
  );
}

function doubtPart(part: string | undefined): readonly ScriptProblem[] {
  if (part === undefined || partTypeNames.includes(part)) return [];
  const nearest = nearestName(part, partTypeNames);
  if (nearest === undefined) return [];
  return doubt(
    ["when", "part"],
    `looks for a part of the type ${showText(part)}. Did you mean ${showText(nearest)}?`,
  );
}

/**
 * Doubts a tool result at turn or step 0, since the call comes before its result. Only the older role `function` and
 * some clients send a result without a call.
 */
function doubtEarlyResult({ toolResult, turn, step }: When): readonly ScriptProblem[] {
  if (toolResult === undefined || (turn !== 0 && step !== 0)) return [];
  const key = turn === 0 ? "turn" : "step";
  return doubt(
    ["when", key],
    `wants the result of a tool at "${key}": 0, but the message with the call makes it at least 1.`,
  );
}

function doubtTimes({ times, count = "match", replies }: Script): readonly ScriptProblem[] {
  if (times === undefined || count !== "match" || times >= replies.length) return [];
  return doubt(
    ["times"],
    `has ${replies.length} replies, but "times": ${times} lets it give the first ${times} only.`,
  );
}

function doubtCount(
  { count = "match", replies: { length } }: Script,
  when: When,
): readonly ScriptProblem[] {
  const key = count === "step" && when.turn === 0 ? "turn" : count;
  if (key === "match" || when[key] === undefined || length === 1) return [];
  return doubt(
    ["count"],
    `has ${length} replies, but gives the same one always: "count" is "${count}", and "when" has "${key}": ${when[key]}.`,
  );
}

/** Doubts a script for a model that is not listed, since requests for such a model are refused. */
function modelDoubt(listed: readonly Model[] | undefined): Doubt {
  return (_, { model }) => {
    if (model === undefined || listed === undefined) return [];
    const names = listed
      .filter(({ kind }) => kind === "chat")
      .flatMap(({ id, variant = id }) => [id, variant]);
    if (names.some((name) => matchesGlob(model, name))) return [];
    const advice = isExactGlob(model) ? didYouMean(model, names) : "";
    return doubt(
      ["when", "model"],
      `is for the model ${showText(model)}, but "models" has none that fits, and others are refused.${advice}`,
    );
  };
}
