import { isExactGlob } from "./glob.ts";
import { valueAt } from "./json-path.ts";
import { literalsOfRegex, shortestLiteral } from "./literals.ts";
import type { RequestView } from "./request-view.ts";
import type { TextMatcher, When } from "../scripts/script.ts";

/** Something of a request that has to be one of a few values. */
interface RequiredValue {
  readonly kind: "value";
  /** Names what is looked at: the same name, the same `read`. */
  readonly field: string;
  readonly values: readonly unknown[];
  /** The values that a request has there. */
  readonly read: (view: RequestView) => readonly unknown[];
}

/** A text of a request that has to contain one of a few literals, letter case aside. */
interface RequiredLiteral {
  readonly kind: "literal";
  readonly field: string;
  readonly values: readonly string[];
  readonly read: (view: RequestView) => readonly string[];
}

/** What a request has to have for a script to match. It need not be enough. */
export type Requirement = RequiredValue | RequiredLiteral;

/** Texts that matchers look at. */
type TextField = Pick<RequiredLiteral, "field" | "read">;

const userField: TextField = { field: "user", read: (view) => view.userTexts };
const systemField: TextField = { field: "system", read: (view) => view.systemTexts };
const anyField: TextField = { field: "anyMessage", read: (view) => view.allTexts };
const resultField: TextField = {
  field: "toolResult.content",
  read: (view) => view.toolResult.texts,
};

/** Everything that can be looked up, each of which has to hold. What cannot, such as most globs, is left out. */
export function requirementsOf(when: When): readonly Requirement[] {
  return [...plainRequirements(when), ...namedRequirements(when), ...textRequirements(when)];
}

function plainRequirements({ model, stream, turn, tool, toolResult }: When): Requirement[] {
  const found: (RequiredValue | undefined)[] = [
    model === undefined || !isExactGlob(model)
      ? undefined
      : required("model", model, ({ request }) => [request.model]),
    stream === undefined
      ? undefined
      : required("stream", stream, ({ request }) => [request.stream]),
    turn === undefined ? undefined : required("turn", turn, (view) => [view.turn]),
    tool === undefined ? undefined : required("tool", tool, ({ request }) => request.tools),
    toolResult === undefined
      ? undefined
      : required("toolResult", true, (view) => [view.toolResult.isThere]),
    toolResult?.name === undefined
      ? undefined
      : required("toolResult.name", toolResult.name, (view) => [view.toolResult.name]),
  ];
  return found.filter((requirement) => requirement !== undefined);
}

function namedRequirements({ header = {}, request = {} }: When): Requirement[] {
  return [
    ...Object.entries(header).map(([name, value]) => {
      const key = name.toLowerCase();
      return required(`header.${key}`, value, (view) => [view.header(key)]);
    }),
    ...Object.entries(request).flatMap(([path, value]) =>
      typeof value === "object" && value !== null
        ? []
        : [required(`request.${path}`, value, (view) => [valueAt(view.request.body, path)])],
    ),
  ];
}

function required(field: string, value: unknown, read: RequiredValue["read"]): RequiredValue {
  return { kind: "value", field, values: [value], read };
}

function textRequirements({ user, system, anyMessage, toolResult }: When): Requirement[] {
  return [
    ...textRequirement(user, userField),
    ...textRequirement(system, systemField),
    ...textRequirement(anyMessage, anyField),
    ...textRequirement(toolResult?.content, resultField),
  ];
}

function textRequirement(
  matcher: TextMatcher | undefined,
  { field, read }: TextField,
): Requirement[] {
  if (matcher === undefined) return [];
  const whole = wholeTexts(matcher);
  if (whole !== undefined) return [{ kind: "value", field: `${field}=`, values: whole, read }];
  const values = literalsOf(matcher);
  return values === undefined ? [] : [{ kind: "literal", field, values, read }];
}

/** The texts of which one has to be equal, where a matcher takes no others. */
function wholeTexts(matcher: TextMatcher): readonly string[] | undefined {
  if (typeof matcher === "string") return undefined;
  if ("equals" in matcher) return [matcher.equals];
  return "anyOf" in matcher ? allOf(matcher.anyOf, wholeTexts) : undefined;
}

/** The literals of which one has to be in a text, where a matcher takes no others. */
function literalsOf(matcher: TextMatcher): readonly string[] | undefined {
  if (typeof matcher === "string") return longEnough(matcher);
  if ("contains" in matcher) return longEnough(matcher.contains);
  if ("equals" in matcher) return longEnough(matcher.equals);
  if ("anyOf" in matcher) return allOf(matcher.anyOf, literalsOf);
  const literals = literalsOfRegex(matcher.regex, matcher.flags ?? "") ?? [];
  return literals.length > 0 && literals.every(isLongEnough) ? literals : undefined;
}

function longEnough(literal: string): readonly string[] | undefined {
  return isLongEnough(literal) ? [literal] : undefined;
}

function isLongEnough({ length }: string): boolean {
  return length >= shortestLiteral;
}

/** What all alternatives give together; undefined when one of them gives nothing. */
function allOf(
  alternatives: readonly TextMatcher[],
  textsOf: (matcher: TextMatcher) => readonly string[] | undefined,
): readonly string[] | undefined {
  const texts: string[] = [];
  for (const alternative of alternatives) {
    const found = textsOf(alternative);
    if (found === undefined) return undefined;
    texts.push(...found);
  }
  return texts;
}
