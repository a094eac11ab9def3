/** Tags that may ask whether something is there. */
const asking = /^\{%-?\s*(?:if|elsif|unless)\b/;
const askingLine = /^\s*(?:if|elsif|unless)\b/;
const withDefault = /\|\s*default\b/;

/**
 * Whether a variable at a place of a template may be undefined there: in a condition, and where `default` says what
 * comes instead. All else fails when it is rendered.
 */
export function mayBeUndefined(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): boolean {
  const lines = text.split("\n");
  const lineText = lines[line - 1] ?? "";
  const at = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
  const start = Math.max(text.lastIndexOf("{{", at), text.lastIndexOf("{%", at));
  const end = text.slice(at).search(/[%}]\}/);
  const around = text.slice(start, end === -1 ? text.length : at + end);
  // The tag `liquid` has a tag in each of its lines.
  if (/^\{%-?\s*liquid\b/.test(around)) {
    return askingLine.test(lineText) || withDefault.test(lineText);
  }
  return asking.test(around) || withDefault.test(around);
}
