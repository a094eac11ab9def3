import type { RecordedBody, RecordedRequest, RecordingRules } from "./cassette.ts";
import { decodedPart, queryPairs } from "./query-pairs.ts";
import { bodyText, bodyValue } from "./recorded-body.ts";
import { isPlace, isVolatile, type Place, readPlace } from "./recording-path.ts";
import { similarity } from "./text-excerpt.ts";
import { type Difference, lone, textDifference, valueDifferences } from "./value-diff.ts";

/** Another method or path is another request altogether. */
const otherTarget = 50;

/** Where a request differs from a recorded one, in what replay looks at. There is none where the two have one key. */
export function* requestDifferences(
  recorded: RecordedRequest,
  sent: RecordedRequest,
  rules: RecordingRules,
): Generator<Difference, void> {
  const places = rules.volatile.map(readPlace);
  const method = [recorded.method, sent.method].map((name) => name.toUpperCase());
  if (method[0] !== method[1]) yield target("method", recorded.method, sent.method);
  const paths = [recorded.path, sent.path].map(decodedPath);
  if (paths[0] !== paths[1]) yield target("path", recorded.path, sent.path);
  yield* mapDifferences(queryValues(recorded), queryValues(sent), { head: "query", places });
  const headers = (request: RecordedRequest): ReadonlyMap<string, string> =>
    new Map(rules.headers.flatMap((name) => headerOf(request, name)));
  yield* mapDifferences(headers(recorded), headers(sent), { head: "header", places });
  yield* bodyDifferences(recorded.body, sent.body, places);
}

function target(at: string, recorded: string, sent: string): Difference {
  const weight = otherTarget * (2 - similarity(recorded, sent));
  return { at, recorded, sent, weight };
}

function decodedPath(path: string): string {
  return JSON.stringify(path.split("/").map((segment) => decodedPart(segment) ?? segment));
}

/** Each parameter as it is sent: one may have several values, or no equals sign. */
function queryValues({ query = "" }: RecordedRequest): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { name, value } of queryPairs(query)) {
    const before = values.get(name);
    const pair = value === undefined ? name : `${name}=${value}`;
    values.set(name, before === undefined ? pair : `${before}&${pair}`);
  }
  return values;
}

function headerOf({ headers = {} }: RecordedRequest, name: string): readonly [string, string][] {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return value === undefined ? [] : [[name, value]];
}

function* mapDifferences(
  recorded: ReadonlyMap<string, string>,
  sent: ReadonlyMap<string, string>,
  { head, places }: { readonly head: "query" | "header"; readonly places: readonly Place[] },
): Generator<Difference, void> {
  for (const name of new Set([...recorded.keys(), ...sent.keys()])) {
    if (isVolatile(places, head, name)) continue;
    const [one, other] = [recorded.get(name), sent.get(name)];
    const at = `${head}.${name}`;
    if (one === undefined || other === undefined) yield lone(at, one, other);
    else if (one !== other) yield textDifference(one, other, at);
  }
}

function* bodyDifferences(
  recorded: RecordedBody | undefined,
  sent: RecordedBody | undefined,
  places: readonly Place[],
): Generator<Difference, void> {
  const ignored = places.filter(({ head }) => head === "body").map(({ steps }) => steps);
  if (isPlace(ignored) || (recorded === undefined && sent === undefined)) return;
  const at = "body";
  if (recorded === undefined || sent === undefined) {
    yield lone(at, shownBody(recorded), shownBody(sent));
    return;
  }
  const values = [bodyValue(recorded), bodyValue(sent)];
  if (values.every((value) => value !== undefined)) {
    yield* valueDifferences(values[0], values[1], { at, ignored });
    return;
  }
  const texts = [bodyText(recorded), bodyText(sent)].map(
    (text) => text ?? "bytes that are no text",
  );
  const [one = "", other = ""] = texts;
  const isSame = JSON.stringify(recorded) === JSON.stringify(sent);
  if (!isSame) yield textDifference(one, other, at);
}

function shownBody(body: RecordedBody | undefined): unknown {
  return body === undefined ? undefined : (bodyValue(body) ?? bodyText(body) ?? body);
}
