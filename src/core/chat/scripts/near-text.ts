import { showValue } from "../../errors/show.ts";
import type { TextForms } from "./text-forms.ts";

/** What a text was wanted to be, or to have in it. */
export interface WantedText {
  readonly kind: "equals" | "contains";
  readonly forms: TextForms;
}

export const otherCase = "it differs only in upper and lower case";
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
