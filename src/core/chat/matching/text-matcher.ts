import type { TextMatcher, When } from "../scripts/script.ts";
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

/** What a text was wanted to be, or to have in it. */
export interface WantedText {
  readonly kind: "equals" | "contains";
  readonly forms: TextForms;
}

const otherCase = "it differs only in upper and lower case";
const otherForm = "it differs only in Unicode form: letters and their accents in one, or apart";
const otherSpace = "it differs only in white space";
const otherCaseAndSpace = "it differs only in upper and lower case and in white space";

/** Says how near a text that does not fit comes to the one that was wanted; undefined when it is not near. */
export function nearText({ kind, forms }: WantedText, seen: TextForms): string | undefined {
  const fits = (wanted: string, there: string): boolean =>
    kind === "equals" ? there === wanted : there.includes(wanted);
  if (forms.spaced === "" || forms.isTooLong || seen.isTooLong) return undefined;
  if (fits(forms.composed, seen.composed)) return otherForm;
  if (fits(forms.lower, seen.lower)) return otherCase;
  if (fits(forms.spaced, seen.spaced)) return otherSpace;
  if (fits(forms.lowerSpaced, seen.lowerSpaced)) return otherCaseAndSpace;
  if (kind === "equals" && seen.text.includes(forms.text)) {
    return "it has that text in it, and more";
  }
  return partlyThere({ kind, text: forms.text }, seen.text);
}

/** So much of a text, and at least half of it, has to be there for the rest to be worth a word. */
const leastAlike = 8;
/** So much is shown of the place where two texts begin to differ. */
const shownThere = 24;

function partlyThere(
  { kind, text }: { readonly kind: WantedText["kind"]; readonly text: string },
  seen: string,
): string | undefined {
  const least = Math.max(leastAlike, Math.ceil(text.length / 2));
  const start = kind === "equals" ? 0 : seen.indexOf(text.slice(0, least));
  if (text.length < least || start === -1 || !seen.startsWith(text.slice(0, least), start)) {
    return undefined;
  }
  const alike = commonStart(text, seen.slice(start));
  return (
    `they are alike for ${alike} characters, then ${showFrom(text, alike)} is wanted ` +
    `and ${showFrom(seen, start + alike)} is there`
  );
}

function showFrom(text: string, at: number): string {
  return at >= text.length ? "its end" : showValue(text.slice(at, at + shownThere));
}

function commonStart(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}

/** Longer texts are not looked at for what is similar in them: each script that does not match would do so. */
const longestCompared = 20_000;

/** A text, with the forms of it that are compared to see how near two texts are. Each is made once. */
export class TextForms {
  readonly text: string;
  #lower: string | undefined;
  #composed: string | undefined;
  #spaced: string | undefined;
  #lowerSpaced: string | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get isTooLong(): boolean {
    return this.text.length > longestCompared;
  }

  get lower(): string {
    return (this.#lower ??= this.text.toLowerCase());
  }

  /** With letters and their marks in one, where there is such a character (NFC). */
  get composed(): string {
    return (this.#composed ??= this.text.normalize("NFC"));
  }

  /** With one space for each run of white space. */
  get spaced(): string {
    return (this.#spaced ??= spaced(this.text));
  }

  get lowerSpaced(): string {
    return (this.#lowerSpaced ??= spaced(this.lower));
  }
}

/** A text with one space for each run of white space, and none at its ends. */
function spaced(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
