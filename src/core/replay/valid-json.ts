/** Whether a text is valid JSON. */
export function isJson(text: string): boolean {
  // To throw takes longer than to look.
  if (!/^\s*["[{\d\-tfn]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
