/** A value as indented JSON; short arrays and objects stand in one line. */
export function jsonText(value: unknown, indent = ""): string {
  const short = JSON.stringify(value) ?? "undefined";
  if (typeof value !== "object" || value === null || short.length + indent.length <= 64) {
    return spaced(value, short);
  }
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((part) => inner + jsonText(part, inner))
    : Object.entries(value).map(
        ([name, part]) => `${inner}${JSON.stringify(name)}: ${jsonText(part, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}

function spaced(value: unknown, short: string): string {
  if (typeof value !== "object" || value === null) return short;
  if (Array.isArray(value)) return `[${value.map((part) => jsonText(part)).join(", ")}]`;
  const parts = Object.entries(value).map(
    ([name, part]) => `${JSON.stringify(name)}: ${jsonText(part)}`,
  );
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

/** Reads JSON that someone has typed. */
export function parseTypedJson(
  text: string,
): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
