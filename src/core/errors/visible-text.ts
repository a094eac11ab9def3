/**
 * Characters that a terminal obeys or that nobody sees: control characters, marks of direction, spaces of no width, and
 * what fonts leave out. Variation selectors stay, since they belong to emoji.
 */
const unseen = /(?!\n|\t|\u{FE0E}|\u{FE0F})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

/**
 * A text from outside, for people to read: it cannot move a cursor, change colours, hide or turn around what stands
 * beside it. Such characters are shown as escapes of JSON. Line breaks stay.
 */
export function visibleLines(text: string): string {
  return text.replaceAll(unseen, escaped);
}

/** Like `visibleLines`, on one line. */
export function visibleText(text: string): string {
  return visibleLines(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** A character beyond U+FFFF has two escapes. */
function escaped(character: string): string {
  if (character === "\r") return "\\r";
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
