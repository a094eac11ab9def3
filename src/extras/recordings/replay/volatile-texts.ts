import type { RecordedRequest } from "../../../core/recordings/cassette.ts";
import { placesBelow, type Place } from "../../../core/recordings/recording-path.ts";
import type { CompiledRules, VolatileText } from "../../../core/recordings/recording-rules.ts";
import { decodedPart } from "../../../core/http/url-parts.ts";
import { type QueryPair, queryPairs } from "./query-pairs.ts";
import { mergeOverlaps, findMatches } from "./rule-matches.ts";

/** The replacement of ignored text. */
const ignored = "…";

/** The parts of a request besides its body, as they are compared. */
export interface ComparedAddress {
  /** The path's segments, decoded. */
  readonly path: readonly string[];
  readonly query: QueryPair[];
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads a request's parts, without the matches that the rules ignore in them. */
export function comparedAddress(
  { path, query = "", headers = {} }: RecordedRequest,
  { volatileTexts: rules }: CompiledRules,
): ComparedAddress {
  const anywhere = rules.filter(({ place }) => place === undefined);
  const segments = path.split("/").map((segment) => decodedPart(segment) ?? segment);
  const named = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return {
    path: segments.map((segment) => withoutMatches(segment, anywhere)),
    query: queryPairs(query).map(({ name, value }) => ({
      name,
      value: value === undefined ? undefined : withoutMatches(value, rulesAt(rules, "query", name)),
    })),
    headers: Object.fromEntries(
      named.map(([name, value]) => [name, withoutMatches(value, rulesAt(rules, "header", name))]),
    ),
  };
}

/** A body's value, or its text if it has no value, without the ignored parts of its texts. */
export function withoutVolatileTexts(
  value: unknown,
  { volatileTexts }: Pick<CompiledRules, "volatileTexts">,
): unknown {
  const rules = rulesAt(volatileTexts, "body");
  return rules.length === 0 ? value : valueWithout(value, rules);
}

function valueWithout(value: unknown, rules: readonly VolatileText[]): unknown {
  if (rules.length === 0) return value;
  if (typeof value === "string") {
    return withoutMatches(value, rules.filter(isHere));
  }
  if (Array.isArray(value)) {
    return value.map((inner: unknown, index) =>
      valueWithout(inner, rulesBelow(rules, String(index))),
    );
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, inner]: [string, unknown]) => {
    return [name, valueWithout(inner, rulesBelow(rules, name))] as const;
  });
  return Object.fromEntries(members);
}

function rulesAt(
  rules: readonly VolatileText[],
  head: Place["head"],
  name?: string,
): readonly VolatileText[] {
  const atHead = rules.filter(({ place }) => place === undefined || place.head === head);
  return name === undefined ? atHead : rulesBelow(atHead, name).filter(isHere);
}

function isHere({ place }: VolatileText): boolean {
  return place === undefined || place.steps.length === 0;
}

/** The rules that apply below a key. A rule whose place has further steps continues with those. */
function rulesBelow(rules: readonly VolatileText[], key: string): readonly VolatileText[] {
  return rules.flatMap((rule) => {
    const { place, regex } = rule;
    if (place === undefined || place.steps.length === 0) return [rule];
    const [steps] = placesBelow([place.steps], key);
    return steps === undefined ? [] : [{ regex, place: { ...place, steps } }];
  });
}

function withoutMatches(text: string, rules: readonly VolatileText[]): string {
  if (rules.length === 0) return text;
  const found = mergeOverlaps(rules.flatMap(({ regex }) => findMatches(text, regex)));
  let kept = "";
  let end = 0;
  for (const span of found) {
    kept += text.slice(end, span.start) + ignored;
    ({ end } = span);
  }
  return kept + text.slice(end);
}
