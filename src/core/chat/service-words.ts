import { cut } from "../errors/show.ts";
import type { Bounds, Issue } from "../schema/schema.ts";

/** The service's words for what a schema expects, where they differ from Backlot's. */
const expectedWords: Readonly<Record<string, string>> = {
  "true or false": "a boolean",
  "a text": "a string",
  "a number": "a decimal",
  "a whole number": "an integer",
  "a string or an object": "one of a string or object",
  "a string or an array of strings": "one of a string or array of strings",
  "a string or an array of parts": "one of a string or array of objects",
  "a string or an array of input items": "one of a string or array of input items",
};

/** The service's words for the type of a value. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Values as a list: `'a', 'b', and 'c'`. */
function listOf(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop() ?? "";
  if (quoted.length === 0) return last;
  return `${quoted.join(", ")}${quoted.length === 1 ? "" : ","} and ${last}`;
}

/**
 * The service's words for a value that is too long, for the expected value and for the sent one, by the kind of value.
 */
const lengthWords = {
  characters: ["string too long", "a string with maximum length", "a string with length"],
  items: ["array too long", "an array with maximum length", "an array with length"],
  properties: ["too many properties", "an object with at most", "an object with"],
} as const;

/**
 * The service's messages for wrong arguments. Programs look for these words, and people know them. Public reports quote
 * them (src/core/chat/README.md).
 */
export const serviceWords = {
  missing: (param: string): string => `Missing required parameter: '${param}'.`,
  unknownArguments: (names: readonly string[]): string =>
    `Unrecognized request argument${names.length === 1 ? "" : "s"} supplied: ${names.slice(0, 5).map(cut).join(", ")}`,
  wrongType: (param: string, expected: string, value: unknown): string =>
    `Invalid type for '${param}': expected ${expectedWords[expected] ?? expected}, but got ${kindOf(value)} instead.`,
  wrongValue: (value: unknown, supported: readonly string[]): string =>
    `Invalid value: '${cut(String(value))}'. Supported values are: ${listOf(supported)}.`,
  wrongForm: (param: string, pattern: string): string =>
    `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${pattern}'.`,
  outOfRange: (param: string, value: number, bounds: Bounds): string => {
    const { integer = false, least = -Infinity, most } = bounds;
    const kind = integer ? "integer" : "decimal";
    const [problem, expected] =
      value < least ? [`below minimum`, `>= ${least}`] : [`above maximum`, `<= ${most}`];
    return `Invalid '${param}': ${kind} ${problem} value. Expected a value ${expected}, but got ${value} instead.`;
  },
  tooLong: (
    param: string,
    { of, length, most }: Omit<Extract<Issue, { kind: "long" }>, "kind">,
  ): string => {
    const [problem, expected, found] = lengthWords[of];
    const unit = of === "properties" ? " properties" : "";
    return `Invalid '${param}': ${problem}. Expected ${expected} ${most}${unit}, but got ${found} ${length}${unit} instead.`;
  },
} as const;
