/** How deep JSON may nest. Far deeper values overflow the stack of whoever walks them, `JSON.stringify` included. */
export const deepestJson = 1_000;

const quote = 0x22;
const backslash = 0x5c;
const openers: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closers: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Whether a valid JSON text nests arrays and objects deeper than `deepest` levels. */
export function nestsTooDeep(text: string, deepest: number = deepestJson): boolean {
  if (text.length <= 2 * deepest) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === backslash) index += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) {
      inString = true;
    } else if (openers.has(code)) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (closers.has(code)) {
      depth -= 1;
    }
  }
  return false;
}
