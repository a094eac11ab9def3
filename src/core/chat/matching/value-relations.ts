import { cut } from "../../errors/show.ts";
import type { ValueMatcher } from "../scripts/script.ts";
import {
  type AnyMatchers,
  boundKeys,
  compileValue,
  jsonValues,
  matchersOf,
  type ValueSort,
} from "./value-matcher.ts";

// How matchers relate to each other, whatever the request. When in doubt, each function here answers false.

/** The kinds of values. */
type Kind = "absent" | "text" | "number" | "array" | "other";

const anyKind: readonly Kind[] = ["absent", "text", "number", "array", "other"];

/** The numbers that a bound admits. */
interface Range {
  readonly least: number;
  readonly most: number;
  /** Whether the ends themselves are excluded. */
  readonly isOpen: boolean;
}

/** A matcher, prepared once to be compared with those of thousands of other scripts. */
export class KnownMatcher {
  readonly matchers: AnyMatchers;
  readonly holds: (value: unknown) => boolean;
  /** Each matcher of an object by itself. A single matcher is its own only part. */
  readonly parts: readonly KnownMatcher[];
  readonly anyOf: readonly KnownMatcher[] | undefined;
  readonly not: KnownMatcher | undefined;
  /** The values that fit, if the matcher names them. Undefined stands for a value that is absent. */
  readonly values: readonly unknown[] | undefined;
  /** The kinds of values that can fit. */
  readonly kinds: readonly Kind[];
  /** The matcher as JSON, since texts are compared faster. */
  readonly text: string;
  /** The range of a matcher with bounds; undefined for any other. */
  readonly range: Range | undefined;

  constructor(matcher: ValueMatcher, sort: ValueSort) {
    const matchers = matchersOf(matcher);
    const { anyOf, not } = matchers;
    this.matchers = matchers;
    this.text = JSON.stringify(matchers);
    this.holds = compileValue(matchers, sort).holds;
    this.anyOf = anyOf?.map((one) => new KnownMatcher(one, sort));
    this.not = not === undefined ? undefined : new KnownMatcher(not, sort);
    const split = partsOf(matchers);
    this.parts = split.length === 1 ? [this] : split.map((part) => new KnownMatcher(part, sort));
    this.values = namedValues(matchers, this.anyOf)?.filter(this.holds);
    this.range = boundKeys.some((key) => matchers[key] !== undefined)
      ? rangeOf(matchers)
      : undefined;
    this.kinds =
      split.length === 1
        ? kindsOf(matchers, this.anyOf, sort)
        : anyKind.filter((kind) => this.parts.every(({ kinds }) => kinds.includes(kind)));
  }
}

/** An object of matchers as one object for each. Flags belong to their expression. */
function partsOf({ regex, flags, ...others }: AnyMatchers): readonly AnyMatchers[] {
  return [
    ...Object.entries(others).map(([key, value]): AnyMatchers => ({ [key]: value })),
    ...(regex === undefined ? [] : [{ regex, ...(flags !== undefined && { flags }) }]),
  ];
}

function namedValues(
  { equals, exists }: AnyMatchers,
  anyOf: readonly KnownMatcher[] | undefined,
): readonly unknown[] | undefined {
  if (equals !== undefined) return [equals];
  if (exists === false) return [undefined];
  const all = anyOf?.map(({ values }) => values) ?? [undefined];
  return all.some((values) => values === undefined) ? undefined : all.flatMap((some) => some ?? []);
}

function rangeOf({ gt, gte, lt, lte }: AnyMatchers): Range {
  return {
    least: gt ?? gte ?? -Infinity,
    most: lt ?? lte ?? Infinity,
    isOpen: gt !== undefined || lt !== undefined,
  };
}

/** The kinds of values that can fit one matcher. */
function kindsOf(
  { equals, exists, contains, regex, gt, gte, lt, lte }: AnyMatchers,
  anyOf: readonly KnownMatcher[] | undefined,
  sort: ValueSort,
): readonly Kind[] {
  if (equals !== undefined) return [kindOf(equals)];
  if (exists !== undefined) return anyKind.filter((kind) => (kind !== "absent") === exists);
  if (contains !== undefined) return typeof contains === "string" ? ["text", "array"] : ["array"];
  if (regex !== undefined) return ["text"];
  if ((gt ?? gte ?? lt ?? lte) !== undefined) return [sort === jsonValues ? "number" : "text"];
  if (anyOf === undefined) return anyKind;
  return anyKind.filter((kind) => anyOf.some(({ kinds }) => kinds.includes(kind)));
}

function kindOf(value: unknown): Kind {
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  return Array.isArray(value) ? "array" : "other";
}

/** Whether each value that fits the narrow matcher fits the wide one. */
export function valueCovers(wide: KnownMatcher, narrow: KnownMatcher): boolean {
  if (narrow.values !== undefined) return narrow.values.every(wide.holds);
  if (narrow.anyOf?.every((one) => valueCovers(wide, one)) === true) return true;
  return wide.parts.every((part) => partCovers(part, narrow));
}

/** Whether every value that fits all parts of the narrow matcher fits a part of the wide one. */
function partCovers(wide: KnownMatcher, narrow: KnownMatcher): boolean {
  const { anyOf, not } = wide;
  if (anyOf !== undefined) return anyOf.some((one) => valueCovers(one, narrow));
  if (not !== undefined) return narrow.parts.some((part) => excludes(part, not));
  return narrow.parts.some((part) => singleCovers(wide, part));
}

/** Whether no value fits both a part and a matcher. */
function excludes(part: KnownMatcher, matcher: KnownMatcher): boolean {
  if (part.not !== undefined) return valueCovers(part.not, matcher);
  return matcher.parts.some((other) => clash(part, other));
}

/** Whether every value that fits a part of the narrow matcher fits a part of the wide one. */
function singleCovers(wide: KnownMatcher, narrow: KnownMatcher): boolean {
  if (wide.range !== undefined) {
    return narrow.range !== undefined && rangeCovers(wide.range, narrow.range);
  }
  const { exists, contains } = wide.matchers;
  if (exists === true) return !narrow.kinds.includes("absent");
  if (typeof contains === "string") {
    const inner = narrow.matchers.contains;
    return typeof inner === "string" && inner.includes(contains);
  }
  return wide.text === narrow.text;
}

function rangeCovers(outer: Range, inner: Range): boolean {
  const isAlike = inner.isOpen || !outer.isOpen;
  const fits = (distance: number): boolean => distance > 0 || (distance === 0 && isAlike);
  return outer.least === -Infinity
    ? fits(outer.most - inner.most)
    : fits(inner.least - outer.least);
}

/** Whether no value fits both of two single matchers. */
function clash(one: KnownMatcher, other: KnownMatcher): boolean {
  return (
    clashesByValues(one, other) ||
    clashesByValues(other, one) ||
    !one.kinds.some((kind) => other.kinds.includes(kind)) ||
    isBelow(one.range, other.range) ||
    isBelow(other.range, one.range)
  );
}

/**
 * Whether two single matchers exclude each other by the values that the first one names, or that its `not` excludes.
 */
function clashesByValues({ not, values }: KnownMatcher, other: KnownMatcher): boolean {
  if (not !== undefined && other.not === undefined) return valueCovers(not, other);
  return values?.some(other.holds) === false;
}

function isBelow(lower: Range | undefined, upper: Range | undefined): boolean {
  if (lower === undefined || upper === undefined) return false;
  if (lower.most === upper.least) return lower.isOpen || upper.isOpen;
  return lower.most < upper.least;
}

/** The matchers of one object that no value can fit together, in words; undefined if there are none. */
export function contradictionIn(matchers: AnyMatchers, sort: ValueSort): string | undefined {
  const { parts, values } = new KnownMatcher(matchers, sort);
  for (const [index, one] of parts.entries()) {
    const other = parts.slice(index + 1).find((later) => clash(one, later));
    if (other !== undefined) return `nothing is both ${describe(one)} and ${describe(other)}`;
  }
  const isEmpty = parts.length > 1 && values?.length === 0;
  return isEmpty ? `nothing is ${compileValue(matchers, sort).description}` : undefined;

  function describe(part: KnownMatcher): string {
    return cut(compileValue(part.matchers, sort).description);
  }
}
