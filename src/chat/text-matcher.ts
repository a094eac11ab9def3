import type { TextMatcher } from "./script.ts";

/** A text matcher, ready to be used. */
export interface CompiledText {
  /** In words, for messages: `containing "rain"`. */
  readonly description: string;
  /** The named groups of the regular expression that matched, none for other matchers; undefined: no match. */
  readonly match: (text: string) => MatchGroups | undefined;
}

/** Named groups by name; null for one that took no part in the match. */
export type MatchGroups = Readonly<Record<string, string | null>>;

const noGroups: MatchGroups = Object.freeze({});

/** Prepares a matcher. Throws a SyntaxError when its regular expression is not one. */
export function compileText(matcher: TextMatcher): CompiledText {
  if (typeof matcher === "string") return containing(matcher);
  if ("contains" in matcher) return containing(matcher.contains);
  if ("equals" in matcher) {
    const { equals } = matcher;
    return plain(`equal to ${JSON.stringify(equals)}`, (text) => text === equals);
  }
  if ("regex" in matcher) return matching(matcher.regex, matcher.flags ?? "");
  const alternatives = matcher.anyOf.map(compileText);
  return {
    description: alternatives.map((alternative) => alternative.description).join(" or "),
    match: (text) => {
      for (const alternative of alternatives) {
        const groups = alternative.match(text);
        if (groups !== undefined) return groups;
      }
      return undefined;
    },
  };
}

function containing(part: string): CompiledText {
  return plain(`containing ${JSON.stringify(part)}`, (text) => text.includes(part));
}

function plain(description: string, holds: (text: string) => boolean): CompiledText {
  return { description, match: (text) => (holds(text) ? noGroups : undefined) };
}

function matching(source: string, flags: string): CompiledText {
  const expression = new RegExp(source, flags);
  return {
    description: `matching ${expression.toString()}`,
    match: (text) => {
      // With the flags `g` and `y` an expression remembers where it stopped.
      expression.lastIndex = 0;
      const found = expression.exec(text);
      if (found === null) return undefined;
      if (found.groups === undefined) return noGroups;
      const groups = Object.entries(found.groups);
      return Object.fromEntries(groups.map(([name, value]) => [name, value ?? null]));
    },
  };
}
