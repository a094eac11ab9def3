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

/** The value at the keys of a path such as `messages.-1.role`; undefined if there is none. */
export function valueAt(root: unknown, steps: readonly string[]): unknown {
  let current: unknown = root;
  for (const name of steps) current = partOf(current, name);
  return current;
}

/** An index of an array: from its start, or from its end if negative. */
const arrayIndex = /^(?:0|-?[1-9]\d*)$/;

function partOf(whole: unknown, name: string): unknown {
  // An array has the property `length`, but JSON does not show it.
  if (Array.isArray(whole)) return arrayIndex.test(name) ? whole.at(Number(name)) : undefined;
  if (typeof whole !== "object" || whole === null || !Object.hasOwn(whole, name)) return undefined;
  return Reflect.get(whole, name);
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
