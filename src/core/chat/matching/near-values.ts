import { nearestName } from "../../errors/nearest-name.ts";
import { jsonEqual, stepsOf, valueAt } from "./json-path.ts";
import { showValue } from "../../errors/show.ts";

/** More names are not compared: a request may have any number, and each script asks. */
const mostNames = 64;

/** Names the one of several names that is similar to the one that was wanted. */
export function similarName(wanted: string, present: readonly string[]): string | undefined {
  const similar = nearestName(
    wanted,
    present.slice(0, mostNames).filter((name) => isLike(name, wanted)),
  );
  if (similar === undefined) return undefined;
  return similar.toLowerCase() === wanted.toLowerCase() && similar !== wanted
    ? `${showValue(similar)} differs only in upper and lower case`
    : `${showValue(similar)} is a similar name`;
}

/** Names of one or two characters are alike only in another case: `f` is no misspelt `g`. */
function isLike(name: string, wanted: string): boolean {
  return Math.min(name.length, wanted.length) > 2 || name.toLowerCase() === wanted.toLowerCase();
}

/** Says how near a text comes to a glob that it does not fit. */
export function nearGlob(glob: string, text: string): string | undefined {
  const star = glob.indexOf("*");
  if (star === -1) return similarName(glob, [text]);
  // What comes before the first star has to be there; the rest may be anything.
  const start = glob.slice(0, star);
  const beginning = text.slice(0, star);
  if (start.length < 3 || nearestName(start, [beginning]) === undefined) return undefined;
  return `it begins with ${showValue(beginning)}, which is similar to ${showValue(start)}`;
}

/** Says how near the request comes to having a value at a path of its body. */
export function nearValue(
  wanted: unknown,
  { body, path }: { readonly body: unknown; readonly path: string },
): string | undefined {
  const seen = valueAt(body, path);
  if (seen === undefined) return similarKey(body, path);
  if (typeof seen === "string" && typeof wanted !== "string" && JSON.stringify(wanted) === seen) {
    return "it is a text";
  }
  if (typeof wanted === "string" && !isCompound(seen) && wanted === JSON.stringify(seen)) {
    return "it is no text";
  }
  if (typeof wanted === "string" && typeof seen === "string") return similarName(wanted, [seen]);
  const isPartOfArray = Array.isArray(seen) && seen.some((item) => jsonEqual(wanted, item));
  return isPartOfArray ? "it is one of the array's items" : undefined;
}

function isCompound(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

const dotInKey = "write a dot in a key with a backslash before it";

/** Names the key that a path may have meant, at the first step that leads nowhere. */
function similarKey(body: unknown, path: string): string | undefined {
  let current = body;
  const steps = stepsOf(path);
  for (const [index, name] of steps.entries()) {
    if (typeof current !== "object" || current === null || Array.isArray(current)) return undefined;
    const next = Object.hasOwn(current, name) ? Reflect.get(current, name) : undefined;
    if (next === undefined) {
      const rest = steps.slice(index).join(".");
      if (rest !== name && Object.hasOwn(current, rest))
        return `${showValue(rest)} is one key: ${dotInKey}`;
      return similarName(name, Object.keys(current));
    }
    current = next;
  }
  return undefined;
}
