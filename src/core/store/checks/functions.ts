import { compileLike } from "../like.ts";
import { foldAscii } from "../text-order.ts";
import {
  integerOf,
  isInteger,
  numberOf,
  type Scalar,
  textOf,
  truthOf,
  truthScalar,
} from "./scalar.ts";

/** A function of SQL. */
interface SqlFunction {
  readonly least: number;
  /** The largest number of arguments. Default: `least`. */
  readonly most?: number;
  /** Whether the function is called when an argument is NULL. Default: no, the result is NULL. */
  readonly takesNull?: boolean;
  readonly run: (
    given: readonly Scalar[],
    /** Compares by the collation of the arguments. */
    compare: (left: Scalar, right: Scalar) => number,
  ) => Scalar;
}

/** A function that reads its arguments as texts. */
function ofTexts(
  least: number,
  run: (...texts: string[]) => Scalar,
  most: number = least,
): SqlFunction {
  return { least, most, run: (given) => run(...given.map((value) => text(value))) };
}

function text(value: Scalar): string {
  return value === null ? "" : textOf(value);
}

/** The functions that checks of real schemas use, by name. */
export const sqlFunctions: Readonly<Record<string, SqlFunction>> = {
  abs: { least: 1, run: ([value = null]) => absolute(value) },
  coalesce: {
    least: 2,
    most: Infinity,
    takesNull: true,
    run: (given) => given.find((value) => value !== null) ?? null,
  },
  glob: ofTexts(2, (pattern = "", value = "") => truthScalar(matchesGlob(pattern, value))),
  hex: { least: 1, takesNull: true, run: ([value = null]) => hexadecimal(value) },
  ifnull: { least: 2, takesNull: true, run: ([first = null, second = null]) => first ?? second },
  iif: {
    least: 2,
    most: 3,
    takesNull: true,
    run: ([condition = null, yes = null, no = null]) => (truthOf(condition) === true ? yes : no),
  },
  instr: { least: 2, run: ([value = null, wanted = null]) => positionOf(value, wanted) },
  json_valid: {
    least: 1,
    run: ([value = null]) => truthScalar(!(value instanceof Uint8Array) && isJson(text(value))),
  },
  length: { least: 1, run: ([value = null]) => BigInt(lengthOf(value)) },
  like: ofTexts(
    2,
    (pattern = "", value = "", escape) => truthScalar(isLike(pattern, value, escape)),
    3,
  ),
  lower: ofTexts(1, (value = "") => foldAscii(value)),
  ltrim: ofTexts(1, (value = "", letters) => trimmed(value, letters, [true, false]), 2),
  max: { least: 2, most: Infinity, run: (given, compare) => extreme(given, compare, 1) },
  min: { least: 2, most: Infinity, run: (given, compare) => extreme(given, compare, -1) },
  nullif: {
    least: 2,
    takesNull: true,
    run: ([first = null, second = null], compare) =>
      first !== null && second !== null && compare(first, second) === 0 ? null : first,
  },
  replace: { least: 3, takesNull: true, run: replaced },
  round: { least: 1, most: 2, run: ([value = null, digits = null]) => rounded(value, digits) },
  rtrim: ofTexts(1, (value = "", letters) => trimmed(value, letters, [false, true]), 2),
  substr: { least: 2, most: 3, run: partOf },
  substring: { least: 2, most: 3, run: partOf },
  trim: ofTexts(1, (value = "", letters) => trimmed(value, letters, [true, true]), 2),
  typeof: { least: 1, takesNull: true, run: ([value = null]) => typeName(value) },
  upper: ofTexts(1, (value = "") => value.replace(/[a-z]+/g, (letters) => letters.toUpperCase())),
};

function absolute(value: Scalar): Scalar {
  if (value === null) return null;
  const number = numberOf(value);
  if (typeof number === "number" || typeof value !== "bigint") return Math.abs(Number(number));
  const magnitude = number < 0n ? -number : number;
  return isInteger(magnitude) ? magnitude : Number(magnitude);
}

function hexadecimal(value: Scalar): string {
  const bytes = value instanceof Uint8Array ? value : new TextEncoder().encode(text(value));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/** The number of characters in a text before its first NUL, or of bytes in a blob. */
function lengthOf(value: Scalar): number {
  if (value instanceof Uint8Array) return value.length;
  return lettersOf(text(value).split("\0", 1)[0] ?? "").length;
}

function positionOf(value: Scalar, wanted: Scalar): Scalar {
  if (value instanceof Uint8Array && wanted instanceof Uint8Array) {
    const [own, other] = [value, wanted].map((bytes) => String.fromCharCode(...bytes));
    return BigInt((own ?? "").indexOf(other ?? "") + 1);
  }
  const at = text(value).indexOf(text(wanted));
  return at < 0 ? 0n : BigInt(lettersOf(text(value).slice(0, at)).length + 1);
}

function extreme(
  given: readonly Scalar[],
  compare: (left: Scalar, right: Scalar) => number,
  sign: number,
): Scalar {
  return given.reduce((best, value) => (compare(value, best) * sign > 0 ? value : best));
}

/** NULL as the replacement makes the result NULL, but only if there is something to search for. */
function replaced([value = null, wanted = null, other = null]: readonly Scalar[]): Scalar {
  if (value === null || wanted === null) return null;
  if (text(wanted) === "") return text(value);
  return other === null ? null : text(value).replaceAll(text(wanted), () => text(other));
}

function rounded(value: Scalar, digits: Scalar): Scalar {
  if (value === null) return null;
  const number = Number(numberOf(value));
  const count = digits === null ? 0 : Math.min(30, Math.max(0, Number(integerOf(digits))));
  if (!Number.isFinite(number) || Math.abs(number) >= 2 ** 52) return number;
  if (count === 0) return Math.trunc(number + (number < 0 ? -0.5 : 0.5)) + 0;
  return Number(number.toFixed(count)) + 0;
}

/** The part of a text or blob that begins at a place counted from 1, or from the end if it is negative. */
function partOf([value = null, from = null, count]: readonly Scalar[]): Scalar {
  if (value instanceof Uint8Array && value.length === 0) return null;
  const units = value instanceof Uint8Array ? value : lettersOf(text(value));
  const { start, size } = placeOfPart(smallInteger(from), smallInteger(count), units.length);
  const end = start + Math.max(0, size);
  if (units instanceof Uint8Array) return units.slice(start, end);
  return units.slice(start, end).join("");
}

/** SQLite uses only the last 32 bits of a position. */
function smallInteger(value: Scalar | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  return Number(BigInt.asIntN(32, integerOf(value)));
}

/** The start and the size of a part. With a negative size, the part is in front of the position. */
function placeOfPart(
  from = 0,
  count = Infinity,
  length = 0,
): { readonly start: number; readonly size: number } {
  let start = from;
  let size = Math.abs(count);
  if (start > 0) start--;
  else if (start === 0 && size > 0) size--;
  else if (start < 0) {
    start += length;
    if (start < 0) [start, size] = [0, Math.max(0, size + start)];
  }
  if (count >= 0) return { start, size };
  start -= size;
  return start < 0 ? { start: 0, size: size + start } : { start, size };
}

/** The characters of a text, as SQLite counts them. */
function lettersOf(value: string): readonly string[] {
  return Array.from(value);
}

function trimmed(
  value: string,
  letters: string | undefined,
  [atStart, atEnd]: readonly [boolean, boolean],
): string {
  const removed = new Set(letters ?? " ");
  const own = lettersOf(value);
  let start = 0;
  let end = own.length;
  if (atStart) while (start < end && removed.has(own[start] ?? "")) start++;
  if (atEnd) while (end > start && removed.has(own[end - 1] ?? "")) end--;
  return own.slice(start, end).join("");
}

function typeName(value: Scalar): string {
  if (value === null) return "null";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return "real";
  return typeof value === "string" ? "text" : "blob";
}

/** Compiled patterns. Only 100 are kept: there are few in schemas, but any number in rows. */
const patterns = new Map<string, (value: string) => boolean>();

function isLike(pattern: string, value: string, escape: string | undefined): boolean {
  if (escape !== undefined) return matchesEscaped(pattern, value, escape);
  const known = patterns.get(pattern) ?? compileLike(pattern);
  if (patterns.size < 100) patterns.set(pattern, known);
  return known(value);
}

/** LIKE with an escape character, tested step by step. */
function matchesEscaped(pattern: string, value: string, escape: string): boolean {
  const steps: Step[] = [];
  const letters = lettersOf(foldAscii(pattern));
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? "";
    if (letter === foldAscii(escape)) {
      const next = letters[++at];
      if (next === undefined) return false;
      steps.push((given) => given === next);
    } else if (letter === "%") steps.push("any");
    else if (letter === "_") steps.push(() => true);
    else steps.push((given) => given === letter);
  }
  return matches(steps, lettersOf(foldAscii(value)));
}

/** A step of a pattern: a test of one character, or any run of characters. */
type Step = "any" | ((letter: string) => boolean);

/** `*` matches any run of characters, `?` one character, `[a-z]` one in the set, `[^a-z]` one outside it. */
function matchesGlob(pattern: string, value: string): boolean {
  const steps: Step[] = [];
  const letters = lettersOf(pattern);
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? "";
    if (letter === "*") steps.push("any");
    else if (letter === "?") steps.push(() => true);
    else if (letter === "[") {
      const set = readSet(letters, at + 1);
      if (set === undefined) return false;
      steps.push(set.step);
      at = set.end;
    } else steps.push((given) => given === letter);
  }
  return matches(steps, lettersOf(value));
}

/** The set of characters that begins here, and where it ends; undefined if it has no end. */
function readSet(
  letters: readonly string[],
  start: number,
): { readonly step: Step; readonly end: number } | undefined {
  const isNegated = letters[start] === "^";
  let at = isNegated ? start + 1 : start;
  const ranges: (readonly [string, string])[] = [];
  // A `]` at the beginning of a set is one of its characters.
  if (letters[at] === "]") {
    ranges.push(["]", "]"]);
    at++;
  }
  for (; letters[at] !== "]"; at++) {
    const low = letters[at];
    if (low === undefined) return undefined;
    const high = letters[at + 2];
    if (letters[at + 1] === "-" && high !== undefined && high !== "]") {
      ranges.push([low, high]);
      at += 2;
    } else ranges.push([low, low]);
  }
  const isIn = (letter: string): boolean =>
    ranges.some(([low, high]) => low <= letter && letter <= high);
  return { step: (letter) => isIn(letter) !== isNegated, end: at };
}

function matches(steps: readonly Step[], letters: readonly string[]): boolean {
  let [step, at, lastAny, resume] = [0, 0, -1, 0];
  while (at < letters.length) {
    const wanted = steps[step];
    if (wanted === "any") {
      lastAny = step++;
      resume = at;
    } else if (wanted?.(letters[at] ?? "") === true) {
      step++;
      at++;
    } else if (lastAny >= 0) {
      step = lastAny + 1;
      at = ++resume;
    } else return false;
  }
  while (steps[step] === "any") step++;
  return step === steps.length;
}
