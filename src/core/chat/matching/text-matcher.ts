import { showValue } from "../../errors/show.ts";
import type { TextMatcher } from "../scripts/script.ts";
import {
  type FormsOf,
  longestCompared,
  nearText,
  sharedWords,
  type WantedText,
} from "./nearness.ts";

/** A compiled text matcher. */
export interface CompiledText {
  /** The matcher in words, for messages: `containing "rain"`. */
  readonly description: string;
  readonly holds: (text: string) => boolean;
  /** How near a text comes that does not match, in words; undefined when it is not near. */
  readonly near: (seen: string, formsOf: FormsOf) => string | undefined;
  /**
   * The named groups of all regular expressions of the matcher, each from the first text that the expression matches.
   * Of groups with the same name, the first that took part in a match wins.
   */
  readonly groups: (texts: readonly string[]) => MatchGroups;
}

/** Named groups by name; null for a group that took no part in the match. */
export type MatchGroups = Readonly<Record<string, string | null>>;

const noGroups: MatchGroups = Object.freeze({});

/** Compiles a matcher. Throws a SyntaxError for an invalid regular expression. */
export function compileText(matcher: TextMatcher): CompiledText {
  if (typeof matcher === "string") return literal({ kind: "contains", text: matcher });
  if ("contains" in matcher) return literal({ kind: "contains", text: matcher.contains });
  if ("equals" in matcher) return literal({ kind: "equals", text: matcher.equals });
  if ("regex" in matcher) return matching(matcher.regex, matcher.flags ?? "");
  const alternatives = matcher.anyOf.map(compileText);
  return {
    description: alternatives.map((alternative) => alternative.description).join(" or "),
    holds: (text) => alternatives.some((alternative) => alternative.holds(text)),
    near: (seen, formsOf) =>
      firstDefined(alternatives, (alternative) => alternative.near(seen, formsOf)),
    groups: (texts) => mergeGroups(alternatives.map((alternative) => alternative.groups(texts))),
  };
}

function literal(wanted: WantedText): CompiledText {
  const { kind, text } = wanted;
  const isWhole = kind === "equals";
  return {
    description: `${isWhole ? "equal to" : "containing"} ${showValue(text)}`,
    holds: isWhole ? (seen) => seen === text : (seen) => seen.includes(text),
    near: (seen, formsOf) => nearText(wanted, seen, formsOf),
    groups: () => noGroups,
  };
}

function matching(source: string, flags: string): CompiledText {
  const expression = new RegExp(source, flags);
  return {
    get description() {
      return `matching ${expression.toString()}`;
    },
    holds: (text) => firstMatch(expression, text) !== null,
    near: (seen, formsOf) => {
      if (seen.length > longestCompared) return undefined;
      const fits = !flags.includes("i") && new RegExp(source, `${flags}i`).test(seen);
      if (fits) return "it differs only in upper and lower case";
      // The literal words of the expression: its source without escapes, sets and names of groups.
      const words = source.replaceAll(/\\.|\[[^\]]*\]|\(\?<\w+>/gu, " ").split("|");
      return firstDefined(words, (text) => sharedWords(text, seen, formsOf));
    },
    groups: (texts) => {
      if (!source.includes("(?<")) return noGroups;
      for (const text of texts) {
        const found = firstMatch(expression, text);
        if (found !== null) return asGroups(found);
      }
      // Matches the empty alternative, and so gives the names of all groups, without values.
      const empty = new RegExp(`|${source}`, flags).exec("");
      return empty === null ? noGroups : asGroups(empty);
    },
  };
}

/**
 * Matches from the start of the text. Expressions with the flags `g` and `y` would start where their last match ended.
 */
function firstMatch(expression: RegExp, text: string): RegExpExecArray | null {
  expression.lastIndex = 0;
  return expression.exec(text);
}

function asGroups({ groups }: RegExpExecArray): MatchGroups {
  if (groups === undefined) return noGroups;
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, value ?? null]));
}

/** All groups merged. Of groups with the same name, the first non-null one wins. */
export function mergeGroups(found: readonly MatchGroups[]): MatchGroups {
  const merged = new Map<string, string | null>();
  for (const groups of found) {
    for (const [name, value] of Object.entries(groups)) {
      merged.set(name, merged.get(name) ?? value);
    }
  }
  return Object.fromEntries(merged);
}

/** The first result for a list's items; undefined when there is none. */
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
