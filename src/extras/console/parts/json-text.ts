/** Reads JSON that the user typed. */
export function parseTypedJson(
  text: string,
): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
