/** Whether a whole text fits a pattern where `*` stands for any run of characters and `?` for one. */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let inPattern = 0;
  // Where the last star stands, and how far it reaches. Going back to it alone keeps the work bounded.
  let star = -1;
  let starReach = 0;
  while (at < text.length) {
    const expected = pattern[inPattern];
    if (expected === "*") {
      star = inPattern++;
      starReach = at;
    } else if (expected === "?" || expected === text[at]) {
      inPattern++;
      at++;
    } else if (star >= 0) {
      inPattern = star + 1;
      at = ++starReach;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === "*") inPattern++;
  return inPattern === pattern.length;
}
