/**
 * Characters that control a terminal or that nobody sees: control characters, marks of direction, spaces without width,
 * and characters that fonts do not draw. Variation selectors are not among them, since they belong to emoji.
 */
const unseen = /(?!\n|\t|\u{FE0E}|\u{FE0F})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

/**
 * A text from outside, made safe to show: it cannot move a cursor, change colours, or hide or reverse the text beside
 * it. Such characters become JSON escapes. Line breaks stay.
 */
export function visibleLines(text: string): string {
  return text.replaceAll(unseen, escaped);
}

/** Like `visibleLines`, on one line. */
export function visibleText(text: string): string {
  return visibleLines(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** A character as JSON escapes: two of them beyond U+FFFF. */
function escaped(character: string): string {
  if (character === "\r") return "\\r";
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
