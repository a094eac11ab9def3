import type { RecordedRequest } from "../../../core/recordings/cassette.ts";
import { type QueryPair, sortedPairs } from "./query-pairs.ts";
import { toBase64 } from "../../../core/http/base64.ts";
import { bodyBytes } from "../../../core/recordings/recorded-body.ts";
import {
  placesBelow,
  isPlace,
  isVolatile,
  type PlaceStep,
} from "../../../core/recordings/recording-path.ts";
import type { CompiledRules } from "../../../core/recordings/recording-rules.ts";
import { comparedText, comparedValue } from "./compared-body.ts";
import { comparedAddress } from "./volatile-texts.ts";
import { withoutBoundary } from "./multipart.ts";

/**
 * A text that is the same for all requests that replay takes for equal: method, path, query, the headers of the rules
 * and the body's value, without volatile parts.
 */
export function requestKey(request: RecordedRequest, rules: CompiledRules): string {
  const { path, query, headers } = comparedAddress(request, rules);
  const parts = [
    request.method.toUpperCase(),
    path,
    keptQuery(query, rules),
    keptHeaders(headers, rules),
  ];
  const body = bodyKey(request, rules);
  return body === undefined ? JSON.stringify(parts) : `${JSON.stringify(parts)} ${body}`;
}

function keptQuery(
  query: readonly QueryPair[],
  { volatile }: CompiledRules,
): readonly (readonly string[])[] {
  return sortedPairs(query)
    .filter(({ name }) => !isVolatile(volatile, "query", name))
    .map(({ name, value }) => (value === undefined ? [name] : [name, value]));
}

function keptHeaders(
  headers: Readonly<Record<string, string>>,
  { headers: names, volatile }: CompiledRules,
): readonly (readonly [string, string])[] {
  return Object.entries(headers)
    .filter(([name]) => names.includes(name) && !isVolatile(volatile, "header", name))
    .map(([name, value]) => [name, comparedHeader(name, value)] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
}

/** The value by which a header is compared. */
export function comparedHeader(name: string, value: string): string {
  return name === "content-type" ? withoutBoundary(value) : value;
}

/**
 * The key of a body. JSON is compared by value, and a multipart body by its parts. Any other body is compared by bytes,
 * and can only be ignored as a whole. An empty body counts as none.
 */
function bodyKey({ body }: RecordedRequest, rules: CompiledRules): string | undefined {
  const places = rules.volatile.filter(({ head }) => head === "body").map(({ steps }) => steps);
  if (body === undefined || isPlace(places)) return undefined;
  const compared = comparedValue(body, rules);
  if (compared !== undefined) {
    const { kind, value } = compared;
    return kind === "json"
      ? canonicalJson(value, places)
      : `${kind} ${canonicalJson(value, places)}`;
  }
  const text = comparedText(body, rules);
  if (text === "") return undefined;
  return text === undefined
    ? `base64 ${toBase64(bodyBytes(body))}`
    : `text ${JSON.stringify({ text })}`;
}

/** JSON on one line with sorted keys. At `places`, properties are left out and elements become null. */
export function canonicalJson(
  value: unknown,
  places: readonly (readonly PlaceStep[])[] = [],
): string {
  if (Array.isArray(value)) {
    const elements = value.map((element: unknown, index) => {
      const inner = placesBelow(places, String(index));
      return isPlace(inner) ? "null" : canonicalJson(element, inner);
    });
    return `[${elements.join(",")}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([name, member]: [string, unknown]) => {
      const inner = placesBelow(places, name);
      return isPlace(inner) ? [] : [`${JSON.stringify(name)}:${canonicalJson(member, inner)}`];
    });
  return `{${members.join(",")}}`;
}
