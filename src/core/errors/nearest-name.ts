/** The largest distance between a typo and the intended name: a third of its length, at least one edit. */
function tolerance(name: string): number {
  return Math.max(1, Math.ceil(name.length / 3));
}

/** Optimal string alignment distance: insertions, deletions, substitutions and swapped neighbours each count 1. */
function distance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) {
        best = Math.min(best, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/** Longer names are not compared: nobody mistypes one as another, and the cost is quadratic. */
const longestName = 100;

/** The number of letters that two names share at the start. It decides between equally near names. */
function commonStart(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

/** The valid name that a wrong one probably means; undefined when none is near. Ignores case. */
export function nearestName(wrong: string, valid: Iterable<string>): string | undefined {
  if (wrong === "" || wrong.length > longestName) return undefined;
  let nearest: string | undefined;
  let least = tolerance(wrong);
  let start = -1;
  for (const name of valid) {
    if (Math.abs(name.length - wrong.length) > least) continue;
    const edits = distance(wrong.toLowerCase(), name.toLowerCase());
    // A single letter has nothing left to compare.
    if (edits >= Math.max(wrong.length, name.length)) continue;
    const alike = commonStart(wrong, name);
    if (edits < least || (edits === least && alike > start)) {
      nearest = name;
      least = edits;
      start = alike;
    }
  }
  return nearest;
}

/** ` Did you mean "name"?`, or the empty string when no valid name is near. */
export function didYouMean(wrong: string, valid: Iterable<string>): string {
  const nearest = nearestName(wrong, valid);
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}
