import type { TextMatcher } from "./script.ts";

/** A text matcher, ready to be used. */
export interface CompiledText {
  /** In words, for messages: `containing "rain"`. */
  readonly description: string;
  readonly holds: (text: string) => boolean;
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
    return plain(`equal to ${JSON.stringify(equals)}`, (text) => text === equals);
  }
  if ("regex" in matcher) return matching(matcher.regex, matcher.flags ?? "");
  const alternatives = matcher.anyOf.map(compileText);
  return {
    description: alternatives.map((alternative) => alternative.description).join(" or "),
    holds: (text) => alternatives.some((alternative) => alternative.holds(text)),
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

function containing(part: string): CompiledText {
  return plain(`containing ${JSON.stringify(part)}`, (text) => text.includes(part));
}

function plain(description: string, holds: (text: string) => boolean): CompiledText {
  return { description, holds, groups: () => noGroups };
}

function matching(source: string, flags: string): CompiledText {
  const expression = new RegExp(source, flags);
  const match = (text: string): RegExpExecArray | null => {
    // With the flags `g` and `y` an expression remembers where it stopped.
    expression.lastIndex = 0;
    return expression.exec(text);
  };
  return {
    description: `matching ${expression.toString()}`,
    holds: (text) => match(text) !== null,
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
