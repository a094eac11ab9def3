import type { RecordedRequest, RecordingRules } from "./cassette.ts";
import { canonicalJson } from "./canonical-json.ts";
import { decodedPart, queryPairs, sortedPairs } from "./query-pairs.ts";
import { toBase64 } from "./base64.ts";
import { bodyBytes, bodyText, bodyValue } from "./recorded-body.ts";
import { isPlace, isVolatile, type Place, readPlace } from "./recording-path.ts";

/**
 * A text that is equal for two requests exactly when replay takes them for the same: method, path, query, the headers of
 * the rules and the body's value, without what the rules call volatile.
 */
export function requestKey(request: RecordedRequest, rules: RecordingRules): string {
  const volatile = placesOf(rules);
  const parts = [
    request.method.toUpperCase(),
    request.path.split("/").map((segment) => decodedPart(segment) ?? segment),
    keptQuery(request.query ?? "", volatile),
    keptHeaders(request.headers ?? {}, rules, volatile),
  ];
  const body = bodyKey(request, volatile);
  return body === undefined ? JSON.stringify(parts) : `${JSON.stringify(parts)} ${body}`;
}

/** The same rules come with each request. */
const known: WeakMap<RecordingRules, readonly Place[]> = new WeakMap();

function placesOf(rules: RecordingRules): readonly Place[] {
  const before = known.get(rules);
  if (before !== undefined) return before;
  const places = rules.volatile.map(readPlace);
  known.set(rules, places);
  return places;
}

function keptQuery(query: string, volatile: readonly Place[]): readonly (readonly string[])[] {
  return sortedPairs(queryPairs(query))
    .filter(({ name }) => !isVolatile(volatile, "query", name))
    .map(({ name, value }) => (value === undefined ? [name] : [name, value]));
}

function keptHeaders(
  headers: Readonly<Record<string, string>>,
  rules: RecordingRules,
  volatile: readonly Place[],
): readonly (readonly [string, string])[] {
  const names = new Set(rules.headers.map((name) => name.toLowerCase()));
  return Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => names.has(name) && !isVolatile(volatile, "header", name))
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
}

/**
 * A body that is no JSON has no places in it: only `body` itself can leave it out. It is told by its bytes, whichever way
 * it is written, and one without any is none.
 */
function bodyKey({ body }: RecordedRequest, volatile: readonly Place[]): string | undefined {
  const places = volatile.filter(({ head }) => head === "body").map(({ steps }) => steps);
  if (body === undefined || isPlace(places)) return undefined;
  const value = bodyValue(body);
  if (value !== undefined) return canonicalJson(value, places);
  const text = bodyText(body);
  if (text === "") return undefined;
  return text === undefined
    ? `base64 ${toBase64(bodyBytes(body))}`
    : `text ${JSON.stringify({ text })}`;
}
