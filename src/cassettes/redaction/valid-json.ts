/** Whether a text is valid JSON. */
export function isJson(text: string): boolean {
  if (!/^\s*["[{\d-]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
