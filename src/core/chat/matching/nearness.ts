import { nearestName, showValue } from "../../errors/show.ts";

// How near a request comes to a script's conditions, in words. Only used to explain why no script answered.

/** A text in each of the forms in which texts are compared. */
type Forms = readonly string[];

/** Gives the forms of a text that is compared with many scripts. */
export type FormsOf = (text: string) => Forms;

/** The text that another text must equal or contain. */
export interface WantedText {
  readonly kind: "equals" | "contains";
  readonly text: string;
}

/** A possible difference of two texts, and a form of a text that hides it. */
const differences: readonly (readonly [what: string, form: (text: string) => string])[] = [
  ["Unicode form: letters and their accents in one, or apart", (text) => text.normalize("NFC")],
  ["upper and lower case", (text) => text.toLowerCase()],
  ["white space", spaced],
  ["upper and lower case and in white space", (text) => spaced(text.toLowerCase())],
  ["upper and lower case and in punctuation", wordsIn],
];

/** A text's words in small letters, with a space around each. */
function wordsIn(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;
}

/** A text with single spaces for runs of white space, trimmed. */
function spaced(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Derives the forms of each text once. */
export function keepForms(): FormsOf {
  const known = new Map<string, Forms>();
  return (text) => {
    const forms = known.get(text) ?? differences.map(([, form]) => form(text));
    known.set(text, forms);
    return forms;
  };
}

/** The most characters of a text that is compared. */
export const longestCompared = 20_000;

/** How near a text comes to the expected one, in words; undefined when it is not near. */
export function nearText(
  { kind, text }: WantedText,
  seen: string,
  formsOf: FormsOf,
): string | undefined {
  if (text.trim() === "" || Math.max(text.length, seen.length) > longestCompared) return undefined;
  const there = formsOf(seen);
  const found = formsOf(text).findIndex(
    (form, index) =>
      form.trim() !== "" &&
      (kind === "equals" ? there[index] === form : there[index]?.includes(form)),
  );
  if (found !== -1) return `it differs only in ${differences[found]?.[0]}`;
  if (kind === "equals" && seen.includes(text)) return "it contains that text and more";
  return partlyThere({ kind, text }, seen) ?? sharedWords(text, seen, formsOf);
}

/** The most names or words that are compared. A request may have any number of them, and each script compares them. */
const mostNames = 64;

/** Words that tell what a text is about: those of three or more letters and digits. */
const telling = /[\p{L}\p{N}]{3,}/gu;

/** The present word of which a word may be a misspelling. Undefined for short words, which resemble too many others. */
function misspelt(word: string, there: readonly string[]): string | undefined {
  return word.length < 6 ? undefined : nearestName(word, there);
}

/** Names the words of the expected text that the seen one has too, if they are at least half of the expected text. */
export function sharedWords(text: string, seen: string, formsOf: FormsOf): string | undefined {
  if (seen.length > longestCompared) return undefined;
  const words = text.toLowerCase().match(telling) ?? [];
  const there = formsOf(seen).at(-1)?.match(telling)?.slice(0, mostNames) ?? [];
  const shared = words.flatMap((word) =>
    there.includes(word) ? word : (misspelt(word, there) ?? []),
  );
  if (shared.length === 0 || shared.join("").length * 2 < words.join("").length) return undefined;
  return `it has ${[...new Set(shared)].slice(0, 3).map(showValue).join(" and ")}`;
}

/**
 * The least number of equal characters at the start of a text, which must also be half of it, for a message about the
 * difference.
 */
const leastAlike = 8;
/** How many characters are shown from the point where two texts diverge. */
const shownThere = 24;

function partlyThere({ kind, text }: WantedText, seen: string): string | undefined {
  let alike = Math.max(leastAlike, Math.ceil(text.length / 2));
  const start = kind === "equals" ? 0 : seen.indexOf(text.slice(0, alike));
  const isThere = start !== -1 && seen.startsWith(text.slice(0, alike), start);
  if (text.length < alike || !isThere) return undefined;
  while (alike < text.length && text[alike] === seen[start + alike]) alike++;
  return (
    `the first ${alike} characters are the same, then ${showFrom(text, alike)} is expected ` +
    `but ${showFrom(seen, start + alike)} is there`
  );
}

function showFrom(text: string, at: number): string {
  return at >= text.length ? "its end" : showValue(text.slice(at, at + shownThere));
}

/** Finds the name that is similar to the expected one. */
export function similarName(wanted: string, present: readonly string[]): string | undefined {
  const similar = nearestName(
    wanted,
    present.slice(0, mostNames).filter((name) => isLike(name, wanted)),
  );
  if (similar === undefined) return undefined;
  return similar.toLowerCase() === wanted.toLowerCase() && similar !== wanted
    ? `${showValue(similar)} differs only in upper and lower case`
    : `${showValue(similar)} is a similar name`;
}

/** Names of one or two characters are similar only if they differ in case: `f` is not a misspelt `g`. */
function isLike(name: string, wanted: string): boolean {
  return Math.min(name.length, wanted.length) > 2 || name.toLowerCase() === wanted.toLowerCase();
}

/** Suggests the key that a path may mean, at the first step that leads nowhere. */
export function similarKey(body: unknown, steps: readonly string[]): string | undefined {
  let current = body;
  for (const name of steps) {
    if (typeof current !== "object" || current === null || Array.isArray(current)) return undefined;
    if (!Object.hasOwn(current, name)) return similarName(name, Object.keys(current));
    current = Reflect.get(current, name);
  }
  return undefined;
}
