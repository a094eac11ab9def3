/** A part of a URL, decoded; undefined if it is badly encoded. */
export function decodedPart(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A part of a URL, decoded if possible. */
export function decodedOrSent(text: string): string {
  return decodedPart(text) ?? text;
}

/** A name or a value of a query, decoded if possible. */
export function decodedParameter(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return decodedPart(spaced) ?? text;
}
