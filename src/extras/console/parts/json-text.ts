/** A value as indented JSON. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? "undefined";
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
