/** Longer texts are shortened in messages. */
const longest = 100;

/** The beginning of a text that is too long for a message. */
export function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** A text in double quotes, shortened if long. */
export function showText(text: string): string {
  return JSON.stringify(cut(text));
}

/** A class may say here what messages call its values, instead of "an object". */
interface Shown {
  readonly shownAs: () => string;
}

/** A value for a message: JSON if short, a description for arrays and objects. */
export function showValue(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "string":
      return showText(value);
    case "number":
    case "boolean":
      return String(value);
    case "bigint":
      return `${value}n`;
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return "an array";
      return isShown(value) ? value.shownAs() : "an object";
    default:
      return `a ${typeof value}`;
  }
}

/**
 * Whether a value says what messages call it. Only a function counts, since a value from JSON could have the key but
 * never a function.
 */
function isShown(value: object): value is Shown {
  return "shownAs" in value && typeof value.shownAs === "function";
}

/** The value with its type, such as `the number 5`. */
export function showTyped(value: unknown): string {
  const hasName = ["string", "number", "boolean"].includes(typeof value);
  return hasName ? `the ${typeof value} ${showValue(value)}` : showValue(value);
}

/** Names in double quotes, as a list: `"a", "b" or "c"`. */
export function quoteList(names: readonly string[], conjunction: "or" | "and" = "or"): string {
  const quoted = names.map(showText);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} ${conjunction} ${last}`;
}

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
    // A name of which every letter would change is not near.
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

/** A count with its noun, given in the singular: `0 rows`, `1 row`, `2 matches`. */
export function counted(count: number, noun: string): string {
  return `${count} ${inNumber(count, noun)}`;
}

/** The noun after a count that is shown separately. */
export function inNumber(count: number, noun: string): string {
  return count === 1 ? noun : plural(noun);
}

function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:[sx]|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
