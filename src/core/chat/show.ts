/** Longer values are cut when they are named in a message. */
const longest = 100;

/** A value as it is named in a message: short ones as JSON, arrays and objects by what they are. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return JSON.stringify(cut(value));
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : "an object";
}

/** The same with the value's type, such as `the number 5`. */
export function showTyped(value: unknown): string {
  const hasName = ["string", "number", "boolean"].includes(typeof value);
  return hasName ? `the ${typeof value} ${show(value)}` : show(value);
}

/** The beginning of a text that is too long to be named whole. */
export function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
