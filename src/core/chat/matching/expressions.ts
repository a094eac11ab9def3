import { isObject, type JsonPath } from "../../schema/json.ts";
import type { TextMatcher, ValueMatcher, When } from "../scripts/script.ts";
import { compileText } from "./text-matcher.ts";

/** A matcher of any kind. */
type AnyMatcher = TextMatcher | ValueMatcher;

/** A matcher in a `when`, and its path from the `when` down. */
export interface PlacedMatcher<Matcher = AnyMatcher> {
  readonly path: JsonPath;
  readonly matcher: Matcher;
}

/** The matchers of messages in a `when`. */
export function textMatchersIn(when: When): readonly PlacedMatcher<TextMatcher>[] {
  const { user, toolResult, assistant, system, anyMessage } = when;
  return [
    ...placed(["user"], user),
    ...placed(["toolResult", "content"], toolResult?.content),
    ...placed(["assistant"], assistant),
    ...placed(["system"], system),
    ...placed(["anyMessage"], anyMessage),
  ];
}

/** The matchers of whole values in a `when`. */
export function valueMatchersIn({
  header = {},
  request = {},
  toolResult,
}: When): readonly PlacedMatcher<ValueMatcher>[] {
  return [
    ...Object.entries(header).flatMap(([name, matcher]) => placed(["header", name], matcher)),
    ...Object.entries(request).flatMap(([path, matcher]) => placed(["request", path], matcher)),
    ...placed(["toolResult", "id"], toolResult?.id),
  ];
}

function placed<Matcher>(
  path: JsonPath,
  matcher: Matcher | undefined,
): readonly PlacedMatcher<Matcher>[] {
  return matcher === undefined ? [] : [{ path, matcher }];
}

/** A regular expression in a `when`. */
export interface PlacedExpression {
  /** The path of the expression from the `when` down. */
  readonly path: JsonPath;
  readonly regex: string;
  readonly flags: string | undefined;
  /** Whether the expression is below `not`, so that a request matches only if the expression does not. */
  readonly isNegated: boolean;
}

/** All regular expressions of a `when`. */
export function expressionsIn(when: When): readonly PlacedExpression[] {
  return [...textMatchersIn(when), ...valueMatchersIn(when)].flatMap(({ path, matcher }) =>
    expressionsOf(matcher, path, false),
  );
}

function expressionsOf(
  matcher: AnyMatcher,
  path: JsonPath,
  isNegated: boolean,
): readonly PlacedExpression[] {
  if (!isObject(matcher)) return [];
  const { regex, flags, anyOf = [], not } = matcher as MatcherKeys;
  return [
    ...(regex === undefined ? [] : [{ path: [...path, "regex"], regex, flags, isNegated }]),
    ...anyOf.flatMap((one, index) => expressionsOf(one, [...path, "anyOf", index], isNegated)),
    ...(not === undefined ? [] : expressionsOf(not, [...path, "not"], true)),
  ];
}

/** The keys under which a matcher has expressions. */
interface MatcherKeys {
  readonly regex?: string;
  readonly flags?: string;
  readonly anyOf?: readonly AnyMatcher[];
  readonly not?: AnyMatcher;
}

/** The names of the groups that the expressions of a `when` give. Throws a SyntaxError for an invalid expression. */
export function groupNamesOf(when: When): readonly string[] {
  return expressionsIn(when)
    .filter(({ isNegated }) => !isNegated)
    .flatMap(({ regex, flags = "" }) => Object.keys(compileText({ regex, flags }).groups([])));
}
