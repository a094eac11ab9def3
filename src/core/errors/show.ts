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

/** An object from JSON never has a function under that key. */
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
