/**
 * Whether a whole text fits a pattern, in which `*` stands for any run of characters and `?` for any single character,
 * emoji included.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  return fits(pattern, text, true);
}

/** Whether every text that fits the narrow pattern fits the wide one. False when in doubt. */
export function globCovers(wide: string, narrow: string): boolean {
  // The narrow pattern is read as a text. Only a star of the wide pattern covers a star in it, which may be any run.
  return fits(wide, narrow, false);
}

function fits(pattern: string, text: string, oneMayBeStar: boolean): boolean {
  let at = 0;
  let inPattern = 0;
  // The last star's position, and how far it reaches. Backtracking to it alone bounds the work.
  let star = -1;
  let starReach = 0;
  while (at < text.length) {
    const expected = pattern[inPattern];
    if (expected === "*") {
      star = inPattern++;
      starReach = at;
    } else if (expected === "?" && (oneMayBeStar || text[at] !== "*")) {
      inPattern++;
      at += lengthAt(text, at);
    } else if (expected === text[at]) {
      inPattern++;
      at++;
    } else if (star >= 0) {
      inPattern = star + 1;
      starReach += lengthAt(text, starReach);
      at = starReach;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === "*") inPattern++;
  return inPattern === pattern.length;
}

/** The number of code units of the character at a position. */
function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Whether a pattern fits only one text: itself. */
export function isExactGlob(pattern: string): boolean {
  return !pattern.includes("*") && !pattern.includes("?");
}
