/** Whether a text has to be rendered at all. */
export function isTemplate(text: string): boolean {
  return text.includes("{{") || text.includes("{%");
}
