import { nearText, otherCase, type WantedText } from "./near-text.ts";
import type { TextMatcher, When } from "./script.ts";
import { TextForms } from "./text-forms.ts";
import { showValue } from "../../errors/show.ts";

/** A text matcher, ready to be used. */
export interface CompiledText {
  /** In words, for messages: `containing "rain"`. */
  readonly description: string;
  readonly holds: (text: string) => boolean;
  /** How near a text that it does not hold for comes to it, in words; undefined when it is not near. */
  readonly near: (seen: TextForms) => string | undefined;
  /**
   * The named groups of all its regular expressions, each in the first of the texts that it matches. Of two of
   * the same name the first that took part in a match counts.
   */
  readonly groups: (texts: readonly string[]) => MatchGroups;
}

/** Named groups by name; null for one that took no part in a match. */
export type MatchGroups = Readonly<Record<string, string | null>>;

const noGroups: MatchGroups = Object.freeze({});

/** Prepares a matcher. Throws a SyntaxError when its regular expression is not one. */
export function compileText(matcher: TextMatcher): CompiledText {
  if (typeof matcher === "string") return containing(matcher);
  if ("contains" in matcher) return containing(matcher.contains);
  if ("equals" in matcher) {
    const { equals } = matcher;
    return plain("equals", equals, (text) => text === equals);
  }
  if ("regex" in matcher) return matching(matcher.regex, matcher.flags ?? "");
  const alternatives = matcher.anyOf.map(compileText);
  return {
    description: alternatives.map((alternative) => alternative.description).join(" or "),
    holds: (text) => alternatives.some((alternative) => alternative.holds(text)),
    near: (seen) => firstDefined(alternatives, (alternative) => alternative.near(seen)),
    groups: (texts) => mergeGroups(alternatives.map((alternative) => alternative.groups(texts))),
  };
}

/** All groups in one. Of two of the same name the first that is not null counts. */
export function mergeGroups(found: readonly MatchGroups[]): MatchGroups {
  const merged = new Map<string, string | null>();
  for (const groups of found) {
    for (const [name, value] of Object.entries(groups)) {
      merged.set(name, merged.get(name) ?? value);
    }
  }
  return Object.fromEntries(merged);
}

/** The names of all groups in the expressions of a `when`. Throws a SyntaxError for an expression that is none. */
export function groupNamesOf({ user, toolResult, system, anyMessage }: When): readonly string[] {
  const matchers = [user, toolResult?.content, system, anyMessage];
  return matchers.flatMap((matcher) =>
    matcher === undefined ? [] : Object.keys(compileText(matcher).groups([])),
  );
}

/** The first thing that a list's items give; undefined when none gives one. */
export function firstDefined<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function containing(part: string): CompiledText {
  return plain("contains", part, (text) => text.includes(part));
}

function plain(
  kind: WantedText["kind"],
  wanted: string,
  holds: (text: string) => boolean,
): CompiledText {
  const forms = new TextForms(wanted);
  return {
    description: `${kind === "equals" ? "equal to" : "containing"} ${showValue(wanted)}`,
    holds,
    near: (seen) => nearText({ kind, forms }, seen),
    groups: () => noGroups,
  };
}

function matching(source: string, flags: string): CompiledText {
  const expression = new RegExp(source, flags);
  let anyCase: RegExp | undefined;
  const match = (text: string): RegExpExecArray | null => {
    // With the flags `g` and `y` an expression remembers where it stopped.
    expression.lastIndex = 0;
    return expression.exec(text);
  };
  return {
    description: `matching ${expression.toString()}`,
    holds: (text) => match(text) !== null,
    near: ({ text, isTooLong }) => {
      if (isTooLong || flags.includes("i")) return undefined;
      anyCase ??= new RegExp(source, `${flags}i`);
      anyCase.lastIndex = 0;
      return anyCase.test(text) ? otherCase : undefined;
    },
    groups: (texts) => {
      if (!source.includes("(?<")) return noGroups;
      for (const text of texts) {
        const found = match(text);
        if (found !== null) return asGroups(found);
      }
      // An alternative that did not hold: its groups are known, and have no value.
      const empty = new RegExp(`|${source}`, flags).exec("");
      return empty === null ? noGroups : asGroups(empty);
    },
  };
}

function asGroups({ groups }: RegExpExecArray): MatchGroups {
  if (groups === undefined) return noGroups;
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, value ?? null]));
}
