/** Longer texts are cut: a report is to be read. */
const longest = 300;

/** What a terminal or an XML reader would act upon, halves of characters included. */
const unprintable = /[\p{Cc}\p{Surrogate}\u2028\u2029\uFFFE\uFFFF]/gu;

/** A text of the service on one line, with nothing in it that does anything. */
export function oneLine(text: string): string {
  const short = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return short.replaceAll(unprintable, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
