/** The keys of a dotted path. `\.` is a dot in a key, `\\` a backslash. */
export function stepsOf(path: string): readonly string[] {
  if (!path.includes("\\")) return path.split(".");
  const steps: string[] = [];
  let step = "";
  for (const [part = "", escaped] of path.matchAll(/\\([.\\])|[^]/g)) {
    if (part === ".") {
      steps.push(step);
      step = "";
    } else {
      step += escaped ?? part;
    }
  }
  return [...steps, step];
}

/** The value at a dotted path such as `messages.0.role`; undefined if there is none. */
export function valueAt(root: unknown, path: string): unknown {
  let current: unknown = root;
  for (const name of stepsOf(path)) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, name)) {
      return undefined;
    }
    // An array owns its length, but JSON does not show it.
    if (Array.isArray(current) && !/^\d+$/.test(name)) return undefined;
    current = Reflect.get(current, name);
  }
  return current;
}

/** Whether two JSON values are equal, ignoring the order of keys. Recurses no deeper than `expected`. */
export function jsonEqual(expected: unknown, seen: unknown): boolean {
  if (expected === seen) return true;
  if (typeof expected !== "object" || typeof seen !== "object") return false;
  if (expected === null || seen === null || Array.isArray(expected) !== Array.isArray(seen)) {
    return false;
  }
  const entries = Object.entries(expected);
  if (entries.length !== Object.keys(seen).length) return false;
  return entries.every(
    ([key, value]) => Object.hasOwn(seen, key) && jsonEqual(value, Reflect.get(seen, key)),
  );
}
