/** Longer texts are cut when a message shows them. */
const longest = 100;

/** The beginning of a text that is too long for a message. */
export function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** A text in double quotes, cut when long. */
export function showText(text: string): string {
  return JSON.stringify(cut(text));
}

/** A class whose values are more than "an object" says here what messages call them. */
interface Shown {
  readonly shownAs: () => string;
}

/** A value for a message: short ones as JSON, arrays and objects by what they are. */
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

/** A key of that name in an object from JSON is never a function. */
function isShown(value: object): value is Shown {
  return "shownAs" in value && typeof value.shownAs === "function";
}

/** The same with the value's type, such as `the number 5`. */
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
