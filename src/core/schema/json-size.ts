/** A text with such a character takes two bytes per character in V8. A text without one may still take two. */
const wide = /[\u0100-\uffff]/;

/** About how many bytes of memory a text takes. */
export function textSize(text: string): number {
  return 16 + text.length * (text.length > 100 && wide.test(text) ? 2 : 1);
}

/** About how many bytes of memory a JSON value takes. */
export function jsonSize(value: unknown): number {
  if (typeof value === "string") return textSize(value);
  if (typeof value !== "object" || value === null) return 8;
  let size = 32;
  if (Array.isArray(value)) for (const part of value) size += 8 + jsonSize(part);
  // Objects with the same keys share them in memory. That cannot be seen from here, so the keys count each time.
  else for (const [name, part] of Object.entries(value)) size += 32 + name.length + jsonSize(part);
  return size;
}

const known: WeakMap<object, number> = new WeakMap();

/** About how many bytes of memory an object takes that never changes. Each object is measured once. */
export function fixedSize(value: object): number {
  let size = known.get(value);
  if (size === undefined) known.set(value, (size = jsonSize(value)));
  return size;
}
