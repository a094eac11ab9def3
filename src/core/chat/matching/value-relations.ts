import { cut } from "../../errors/show.ts";
import { isObject } from "../../schema/json.ts";
import type { ValueMatcher } from "../scripts/script.ts";
import { jsonEqual } from "./json-path.ts";
import {
  type AnyMatchers,
  boundKeys,
  compileValue,
  jsonValues,
  matchersOf,
  type ValueSort,
} from "./value-matcher.ts";

// What matchers say of each other, whatever the request. Nothing here is true when in doubt.

/** The values that fit a matcher, if it names them. Undefined stands for a value that is absent. */
export function valuesOf(matcher: ValueMatcher, sort: ValueSort): readonly unknown[] | undefined {
  const { holds } = compileValue(matcher, sort);
  return namedValuesOf(matchersOf(matcher), sort)?.filter(holds);
}

function namedValuesOf(
  { equals, exists, anyOf }: AnyMatchers,
  sort: ValueSort,
): readonly unknown[] | undefined {
  if (equals !== undefined) return [equals];
  if (exists === false) return [undefined];
  const all = anyOf?.map((one) => valuesOf(one, sort)) ?? [undefined];
  return all.some((values) => values === undefined) ? undefined : all.flatMap((some) => some ?? []);
}

/** Whether each value that fits the narrow matcher fits the wide one. */
export function valueCovers(wide: ValueMatcher, narrow: ValueMatcher, sort: ValueSort): boolean {
  if (!isObject(narrow) && !isObject(wide)) return jsonEqual(wide, narrow);
  const values = valuesOf(narrow, sort);
  if (values !== undefined) return values.every(compileValue(wide, sort).holds);
  const { anyOf, ...rest } = matchersOf(narrow);
  if (anyOf?.every((one) => valueCovers(wide, one, sort)) === true) return true;
  const parts = partsOf(rest);
  return partsOf(matchersOf(wide)).every((part) => partCovers(part, rest, parts, sort));
}

/** An object of matchers as one object for each. Flags belong to their expression. */
function partsOf({ regex, flags, ...others }: AnyMatchers): readonly AnyMatchers[] {
  return [
    ...Object.entries(others).map(([key, value]): AnyMatchers => ({ [key]: value })),
    ...(regex === undefined ? [] : [{ regex, ...(flags !== undefined && { flags }) }]),
  ];
}

/** Whether a value that fits the narrow matcher, which is all of its parts, fits a wide part. */
function partCovers(
  wide: AnyMatchers,
  narrow: AnyMatchers,
  parts: readonly AnyMatchers[],
  sort: ValueSort,
): boolean {
  const { anyOf, not } = wide;
  if (anyOf !== undefined) return anyOf.some((one) => valueCovers(one, narrow, sort));
  if (not !== undefined) return parts.some((part) => excludes(part, not, sort));
  return parts.some((part) => jsonEqual(wide, part) || singleCovers(wide, part, sort));
}

/** Whether no value that fits a part fits a matcher. */
function excludes(part: AnyMatchers, matcher: ValueMatcher, sort: ValueSort): boolean {
  if (part.not !== undefined) return valueCovers(part.not, matcher, sort);
  return partsOf(matchersOf(matcher)).some((other) => clash(part, other, sort));
}

/** Whether a value that fits one narrow part fits a wide one, told by these two keys. */
function singleCovers(wide: AnyMatchers, narrow: AnyMatchers, sort: ValueSort): boolean {
  if (wide.exists === true) return !kindsOf(narrow, sort).includes("absent");
  if (typeof wide.contains === "string" && typeof narrow.contains === "string") {
    return narrow.contains.includes(wide.contains);
  }
  return boundKeys.some((key) => wide[key] !== undefined) && boundCovers(wide, narrow);
}

/** The numbers that a bound admits. */
interface Range {
  readonly least: number;
  readonly most: number;
  /** Whether the ends themselves are out. */
  readonly isOpen: boolean;
}

function rangeOf({ gt, gte, lt, lte }: AnyMatchers): Range {
  return {
    least: gt ?? gte ?? -Infinity,
    most: lt ?? lte ?? Infinity,
    isOpen: gt !== undefined || lt !== undefined,
  };
}

function boundCovers(wide: AnyMatchers, narrow: AnyMatchers): boolean {
  if (boundKeys.every((key) => narrow[key] === undefined)) return false;
  const [outer, inner] = [rangeOf(wide), rangeOf(narrow)];
  const isAlike = inner.isOpen || !outer.isOpen;
  const fits = (distance: number): boolean => distance > 0 || (distance === 0 && isAlike);
  return outer.least === -Infinity
    ? fits(outer.most - inner.most)
    : fits(inner.least - outer.least);
}

/** What a value can be. */
type Kind = "absent" | "text" | "number" | "array" | "other";

const anyKind: readonly Kind[] = ["absent", "text", "number", "array", "other"];

/** The kinds of values that can fit a part. */
function kindsOf(part: AnyMatchers, sort: ValueSort): readonly Kind[] {
  const { equals, exists, contains, regex, anyOf } = part;
  if (equals !== undefined) return [kindOf(equals)];
  if (exists !== undefined) return anyKind.filter((kind) => (kind !== "absent") === exists);
  if (contains !== undefined) return typeof contains === "string" ? ["text", "array"] : ["array"];
  if (regex !== undefined) return ["text"];
  if (boundKeys.some((key) => part[key] !== undefined)) {
    return [sort === jsonValues ? "number" : "text"];
  }
  if (anyOf === undefined) return anyKind;
  return anyKind.filter((kind) =>
    anyOf.some((one) =>
      partsOf(matchersOf(one)).every((inner) => kindsOf(inner, sort).includes(kind)),
    ),
  );
}

function kindOf(value: unknown): Kind {
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  return Array.isArray(value) ? "array" : "other";
}

/** Whether no value fits two parts, each of which is one matcher. */
function clash(one: AnyMatchers, other: AnyMatchers, sort: ValueSort): boolean {
  return (
    clashesByValues(one, other, sort) ||
    clashesByValues(other, one, sort) ||
    !kindsOf(one, sort).some((kind) => kindsOf(other, sort).includes(kind)) ||
    isBelow(rangeOf(one), rangeOf(other)) ||
    isBelow(rangeOf(other), rangeOf(one))
  );
}

/** Whether a part names its values, or those that it does not have, and none of them fits another. */
function clashesByValues(one: AnyMatchers, other: AnyMatchers, sort: ValueSort): boolean {
  const { not } = one;
  if (not !== undefined && other.not === undefined) return valueCovers(not, other, sort);
  return valuesOf(one, sort)?.some(compileValue(other, sort).holds) === false;
}

function isBelow(lower: Range, upper: Range): boolean {
  if (lower.most === upper.least) return lower.isOpen || upper.isOpen;
  return lower.most < upper.least;
}

/** Matchers of one object that no value fits together, in words. */
export function contradictionIn(matchers: AnyMatchers, sort: ValueSort): string | undefined {
  const parts = partsOf(matchers);
  for (const [index, one] of parts.entries()) {
    const other = parts.slice(index + 1).find((later) => clash(one, later, sort));
    if (other !== undefined) return `nothing is both ${describe(one)} and ${describe(other)}`;
  }
  const isEmpty = parts.length > 1 && valuesOf(matchers, sort)?.length === 0;
  return isEmpty ? `nothing is ${compileValue(matchers, sort).description}` : undefined;

  function describe(part: AnyMatchers): string {
    return cut(compileValue(part, sort).description);
  }
}
