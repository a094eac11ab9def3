import type { JsonPath } from "../../schema/json.ts";
import { isObject } from "../../schema/json.ts";
import { expressionsIn, valueMatchersIn } from "../matching/expressions.ts";
import { compileText } from "../matching/text-matcher.ts";
import {
  type AnyMatchers,
  jsonValues,
  matchersOf,
  type ValueSort,
  wholeTexts,
} from "../matching/value-matcher.ts";
import { contradictionIn, KnownMatcher } from "../matching/value-relations.ts";
import { checkHeaderNames } from "./header-names.ts";
import { isHeaderValue } from "./header-syntax.ts";
import type { Script, ValueMatcher, When } from "./script.ts";
import type { ScriptProblem } from "./script-problem.ts";

/** Conditions. If they belong to a script, also the keys that decide which of its replies is given. */
interface Conditions extends Partial<Pick<Script, "when" | "count" | "after">> {
  readonly replies?: { readonly length: number };
}

/** The problems of conditions: those that are invalid, and those that no request can fulfil. */
export function checkWhen(script: Conditions, path: JsonPath): readonly ScriptProblem[] {
  const { when = {} } = script;
  const wrong = checkExpressions(when);
  const problems = [
    ...wrong,
    ...checkHeaderNames(Object.keys(when.header ?? {}), ["header"]),
    ...checkHeaderValues(when),
    ...checkPaths(Object.keys(when.request ?? {}), ["request"]),
    // Comparing matchers compiles them, so wrong ones must be excluded first.
    ...(wrong.length > 0 ? [] : [...checkMatchers(when), ...checkTogether(script, when)]),
  ];
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

function checkExpressions(when: When): readonly ScriptProblem[] {
  return expressionsIn(when).flatMap(({ path, regex, flags = "" }) => {
    try {
      compileText({ regex, flags });
      return [];
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return [{ path, message }];
    }
  });
}

/** The problems of texts that a header's value must equal or contain. */
function checkHeaderValues({ header = {} }: When): readonly ScriptProblem[] {
  return Object.entries(header).flatMap(([name, matcher]) =>
    textsIn(matcher, ["header", name]).flatMap(({ path, text, isWhole }) => {
      const message = whyNeverReceived(text, isWhole);
      return message === undefined ? [] : [{ path, message }];
    }),
  );
}

function whyNeverReceived(text: string, isWhole: boolean): string | undefined {
  if (isWhole && text !== text.trim()) {
    return "has white space at its ends, which received headers never have; remove it";
  }
  return isHeaderValue(text) ? undefined : "has characters that no header can have";
}

/** A text in a matcher. */
interface PlacedText {
  readonly path: JsonPath;
  readonly text: string;
  /** Whether a value must equal the text, rather than contain it. */
  readonly isWhole: boolean;
}

function textsIn(matcher: ValueMatcher, path: JsonPath): readonly PlacedText[] {
  if (typeof matcher === "string") return [{ path, text: matcher, isWhole: true }];
  if (!isObject(matcher)) return [];
  const { equals, contains, anyOf = [] } = matchersOf(matcher);
  return [
    ...(typeof equals === "string" ? textsIn(equals, [...path, "equals"]) : []),
    ...(typeof contains === "string"
      ? [{ path: [...path, "contains"], text: contains, isWhole: false }]
      : []),
    ...anyOf.flatMap((one, index) => textsIn(one, [...path, "anyOf", index])),
  ];
}

/**
 * A path with an array index in brackets, as in JavaScript, in the first key or within `messages` or `tools`. A
 * client's own keys, such as those of `metadata`, may contain brackets.
 */
const bracketed = /^(?:[^.\\[\]]+|(?:messages|tools)\..*)\[-?\d+\](?:\.|\[|$)/;

function checkPaths(requested: readonly string[], path: JsonPath): readonly ScriptProblem[] {
  return requested.flatMap((name) => {
    if (!bracketed.test(name)) return [];
    const dotted = name.replaceAll(/\.?\[(-?\d+)\]/g, ".$1");
    const message = `is not a dotted path: array indexes have dots too; write "${dotted}"`;
    return [{ path: [...path, name], message }];
  });
}

/** The problems of matchers that contradict each other in one condition. */
function checkMatchers(when: When): readonly ScriptProblem[] {
  return valueMatchersIn(when).flatMap(({ path, matcher }) =>
    checkMatcher(matcher, path, path[0] === "request" ? jsonValues : wholeTexts),
  );
}

function checkMatcher(
  matcher: ValueMatcher,
  path: JsonPath,
  sort: ValueSort,
): readonly ScriptProblem[] {
  if (!isObject(matcher)) return [];
  const matchers: AnyMatchers = matchersOf(matcher);
  const { anyOf = [], not } = matchers;
  const within = [
    ...anyOf.flatMap((one, index) => checkMatcher(one, [...path, "anyOf", index], sort)),
    ...(not === undefined ? [] : checkMatcher(not, [...path, "not"], sort)),
  ];
  const contradiction = within.length > 0 ? undefined : contradictionIn(matchers, sort);
  if (contradiction === undefined) return within;
  return [{ path, message: `has matchers that exclude each other: ${contradiction}` }];
}

/** The problems of conditions that exclude each other. */
function checkTogether(script: Conditions, when: When): readonly ScriptProblem[] {
  return exclusions.flatMap(({ path, why }) => {
    const message = why(when, script);
    return message === undefined ? [] : [{ path, message }];
  });
}

/** Conditions that exclude each other, the path of one of them, and why no request fulfils them. */
interface Exclusion {
  readonly path: JsonPath;
  readonly why: (when: When, script: Conditions) => string | undefined;
}

const exclusions: readonly Exclusion[] = [
  {
    path: ["assistant"],
    why: ({ turn, assistant }) =>
      turn === 0 && assistant !== undefined
        ? `assistant can never match at "turn": 0, before the first assistant message`
        : undefined,
  },
  {
    path: ["step"],
    why: ({ turn = Infinity, step = 0 }) =>
      step > turn
        ? `step can never be ${step} at "turn": ${turn}, which counts all assistant messages`
        : undefined,
  },
  {
    path: ["request", "stream"],
    why: ({ stream, request = {} }) => {
      const matcher = Object.hasOwn(request, "stream") ? request["stream"] : undefined;
      if (stream === undefined || matcher === undefined) return undefined;
      const isMissed = new KnownMatcher(matcher, jsonValues).values?.every(
        (value) => isStream(value) !== stream,
      );
      return isMissed === true
        ? `stream can never match beside "stream": ${stream}; remove one of the two`
        : undefined;
    },
  },
  ...(["step", "turn"] as const).map((key): Exclusion => ({
    path: [key],
    why: ({ [key]: at = 0 }, { count, after, replies: { length } = { length: 0 } }) =>
      count === key && after === "end" && at >= length
        ? `${key} can never be ${at}: "after" is "end", and there are replies for less than ${length} only`
        : undefined,
  })),
];

/** Whether this value of `stream` asks for a stream. Some clients send a number. */
function isStream(value: unknown): boolean {
  return value === true || (typeof value === "number" && value !== 0);
}
