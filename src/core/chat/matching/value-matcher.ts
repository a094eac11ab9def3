import { showValue } from "../../errors/show.ts";
import { isObject, type JsonValue } from "../../schema/json.ts";
import type { Matchers, PlainValue, ValueMatcher } from "../scripts/script.ts";
import { matchesGlob } from "./glob.ts";
import { jsonEqual } from "./json-path.ts";
import { type FormsOf, nearText, similarName } from "./nearness.ts";
import { compileText, firstDefined, type MatchGroups, mergeGroups } from "./text-matcher.ts";

/** A compiled matcher of a value. Undefined stands for a value that is absent. */
export interface CompiledValue {
  /** The matcher in words, for messages: `a number greater than 5`. */
  readonly description: string;
  readonly holds: (value: unknown) => boolean;
  /** How near a value comes that does not match, in words; undefined when it is not near. */
  readonly near?: (seen: unknown, formsOf: FormsOf) => string | undefined;
  /** The named groups of the matcher's regular expressions. Absent if it has none. */
  readonly groups?: (value: unknown) => MatchGroups;
}

/** How values are compared: those of a body differ from the texts of headers. */
export interface ValueSort {
  /** The value as a number; undefined if it is no number. */
  readonly numberIn: (value: unknown) => number | undefined;
  /** How near a text comes to the one that it must equal, in words; undefined when it is not near. */
  readonly nearEqual: (wanted: string, seen: string, formsOf: FormsOf) => string | undefined;
}

/** Values of a JSON body, where only a number is one. */
export const jsonValues: ValueSort = {
  numberIn: (value) => (typeof value === "number" ? value : undefined),
  nearEqual: (wanted, seen) => similarName(wanted, [seen]),
};

/** Texts of headers and ids, where the text of a number counts as that number. */
export const wholeTexts: ValueSort = {
  numberIn: (value) => (typeof value === "string" ? numberOf(value) : undefined),
  nearEqual: (wanted, seen, formsOf) => nearText({ kind: "equals", text: wanted }, seen, formsOf),
};

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function numberOf(text: string): number | undefined {
  return decimal.test(text) ? Number(text) : undefined;
}

/** The matchers of a value of any sort. */
export type AnyMatchers = Matchers<JsonValue, PlainValue>;

/** Compiles a matcher. Throws a SyntaxError for an invalid regular expression. */
export function compileValue(matcher: ValueMatcher, sort: ValueSort): CompiledValue {
  if (!isMatchers(matcher)) return equality(matcher, sort);
  const parts = partsOf(matcher, sort);
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return {
    description: parts.map(({ description }) => description).join(" and "),
    holds: (value) => parts.every(({ holds }) => holds(value)),
    near: (seen, formsOf) =>
      firstDefined(parts, ({ holds, near }) => (holds(seen) ? undefined : near?.(seen, formsOf))),
    ...groupsOf(parts),
  };
}

/** A matcher as an object of matchers. */
export function matchersOf(matcher: ValueMatcher): AnyMatchers {
  return isMatchers(matcher) ? matcher : { equals: matcher };
}

/** Whether a matcher is an object of matchers. An object to compare with is written under `equals`. */
function isMatchers(matcher: ValueMatcher): matcher is AnyMatchers {
  return isObject(matcher);
}

/** Each matcher of an object by itself, cheap ones first. */
function partsOf(matchers: AnyMatchers, sort: ValueSort): readonly CompiledValue[] {
  const { exists, equals, contains, regex, flags, anyOf, not } = matchers;
  return [
    exists !== undefined && existence(exists),
    equals !== undefined && equality(equals, sort),
    ...boundKeys.map((key) => {
      const limit = matchers[key];
      return limit !== undefined && bounded(key, limit, sort);
    }),
    contains !== undefined && containing(contains),
    regex !== undefined && matching(regex, flags),
    anyOf !== undefined && alternative(anyOf.map((one) => compileValue(one, sort))),
    not !== undefined && contrary(compileValue(not, sort)),
  ].filter((part) => part !== false);
}

function existence(wanted: boolean): CompiledValue {
  return {
    description: wanted ? "there" : "absent",
    holds: (value) => (value !== undefined) === wanted,
  };
}

function equality(wanted: JsonValue, { numberIn, nearEqual }: ValueSort): CompiledValue {
  return {
    description: JSON.stringify(wanted),
    holds: (value) => jsonEqual(wanted, value),
    near: (seen, formsOf) => {
      if (typeof seen !== "string") return undefined;
      if (typeof wanted === "number")
        return nearNumber(seen, numberIn, (seenAs) => seenAs === wanted);
      if (typeof wanted !== "string") return undefined;
      return nearEqual(wanted, seen, formsOf) ?? nearGlob(wanted, seen);
    },
  };
}

/** A hint for an expected text with a star: only in a script's `model` is a star a wildcard. */
function nearGlob(wanted: string, seen: string): string | undefined {
  const fits = wanted.includes("*") && matchesGlob(wanted, seen);
  return fits ? `"*" stands for itself here; "contains" or "regex" match a part` : undefined;
}

/** A bound of a number: its words, and whether a number is within it. */
interface Bound {
  readonly words: string;
  readonly fits: (value: number, limit: number) => boolean;
}

/** The keys of bounds. */
export type BoundKey = "gt" | "gte" | "lt" | "lte";

const bounds: Readonly<Record<BoundKey, Bound>> = {
  gt: { words: "greater than", fits: (value, limit) => value > limit },
  gte: { words: "not less than", fits: (value, limit) => value >= limit },
  lt: { words: "less than", fits: (value, limit) => value < limit },
  lte: { words: "not greater than", fits: (value, limit) => value <= limit },
};

export const boundKeys: readonly BoundKey[] = ["gt", "gte", "lt", "lte"];

function bounded(key: BoundKey, limit: number, { numberIn }: ValueSort): CompiledValue {
  const { words, fits } = bounds[key];
  return {
    description: `a number ${words} ${limit}`,
    holds: (value) => {
      const number = numberIn(value);
      return number !== undefined && fits(number, limit);
    },
    near: (seen) => nearNumber(seen, numberIn, (number) => fits(number, limit)),
  };
}

/** A hint for a text that holds a fitting number, where only numbers count as numbers. */
function nearNumber(
  seen: unknown,
  numberIn: ValueSort["numberIn"],
  fits: (number: number) => boolean,
): string | undefined {
  const number = wholeTexts.numberIn(seen);
  const isText = number !== undefined && numberIn(seen) === undefined;
  return isText && fits(number) ? "it is a text, not a number" : undefined;
}

function containing(wanted: JsonValue): CompiledValue {
  const shown = typeof wanted === "string" ? showValue(wanted) : JSON.stringify(wanted);
  return {
    description: `a text or an array containing ${shown}`,
    holds: (value) => isIn(value, wanted),
    near: (seen, formsOf) =>
      typeof seen === "string" && typeof wanted === "string"
        ? nearText({ kind: "contains", text: wanted }, seen, formsOf)
        : undefined,
  };
}

/** Whether a text has a part, or an array an element that equals it or is a text that has it. */
function isIn(value: unknown, wanted: JsonValue): boolean {
  return Array.isArray(value)
    ? value.some((element) => jsonEqual(wanted, element) || hasPart(element, wanted))
    : hasPart(value, wanted);
}

function hasPart(value: unknown, wanted: JsonValue): boolean {
  return typeof value === "string" && typeof wanted === "string" && value.includes(wanted);
}

function matching(regex: string, flags: string = ""): CompiledValue {
  const { description, holds, near, groups } = compileText({ regex, flags });
  return {
    description: `a text ${description}`,
    holds: (value) => typeof value === "string" && holds(value),
    near: (seen, formsOf) => (typeof seen === "string" ? near(seen, formsOf) : undefined),
    groups: (value) => groups(typeof value === "string" ? [value] : []),
  };
}

function alternative(all: readonly CompiledValue[]): CompiledValue {
  return {
    description: all.map(({ description }) => description).join(" or "),
    holds: (value) => all.some(({ holds }) => holds(value)),
    near: (seen, formsOf) => firstDefined(all, ({ near }) => near?.(seen, formsOf)),
    ...groupsOf(all),
  };
}

/** The negation of a matcher. It has no groups, since they have no value in a request that matches. */
function contrary({ description, holds }: CompiledValue): CompiledValue {
  return { description: `anything but ${description}`, holds: (value) => !holds(value) };
}

function groupsOf(parts: readonly CompiledValue[]): Pick<CompiledValue, "groups"> {
  const withGroups = parts.flatMap(({ groups }) => groups ?? []);
  if (withGroups.length === 0) return {};
  return { groups: (value) => mergeGroups(withGroups.map((groups) => groups(value))) };
}
