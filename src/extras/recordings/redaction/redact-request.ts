import { isSecretHeader, isSecretName } from "../../../core/http/secret-names.ts";
import type { RecordedRequest, SentRequest } from "../../../core/replay/cassette.ts";
import { decodedParameter, decodedPart } from "../../../core/replay/query-pairs.ts";
import { bodyValue, recordRequestBody, utf8Text } from "../../../core/replay/recorded-body.ts";
import { anyStep, isPlace, isVolatile, type Place } from "../../../core/replay/recording-path.ts";
import type { PlaceRule } from "../../../core/replay/recording-rules.ts";
import { canonicalJson } from "../../../core/replay/request-key.ts";
import { findCredentials } from "./find-credentials.ts";
import { type NumberedPlaceholders, placeholderName } from "./numbered-placeholders.ts";
import { learnFromBody, mayHoldBytes, redactBytes } from "./redact-body.ts";
import { edited, learnFrom, redactText, type Redaction, settled, textEdits } from "./redaction.ts";

const encoder = new TextEncoder();

/** Has the secrets of a request looked for in every place. */
export function learnFromRequest(sent: SentRequest, redaction: Redaction): void {
  const { placeholders, rules } = redaction;
  const body = sent.body === undefined ? "" : (utf8Text(sent.body) ?? "");
  const kept = Object.values(keptHeaders(sent, redaction));
  for (const text of [sent.path, decodedParameter(sent.query), body, ...kept]) {
    placeholders.reserve(text);
  }
  learnFromTarget(sent.path, sent.query, redaction);
  for (const name of Object.keys(sent.headers).toSorted()) {
    const value = sent.headers[name];
    if (value === undefined) continue;
    if (rules.headers.includes(name)) learnFromKeptHeader(name, value, redaction);
    else learnFromHeader(name, value, redaction);
  }
  learnFromBody(body, redaction);
}

/** What is kept of a request, without what is to be taken out. */
export function redactRequest(sent: SentRequest, redaction: Redaction): RecordedRequest {
  // Most bodies have nothing that is secret: they are looked at once.
  const mayHold = sent.body !== undefined && mayHoldBytes(sent.body, redaction);
  numberValues(mayHold ? sent : { ...sent, body: undefined }, redaction);
  const query = redactParameters(sent.query, redaction);
  const headers = redactHeaderValues(keptHeaders(sent, redaction), redaction);
  const body = recordRequestBody(mayHold ? redactBytes(sent.body, redaction) : sent.body);
  return {
    method: sent.method,
    path: redactPath(sent.path, redaction),
    ...(query === "" ? {} : { query }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
}

/**
 * Gives the values of a request their numbers in an order that is the same for all requests that replay takes for the same:
 * parameters and members by their names, and what is volatile last.
 */
function numberValues(sent: SentRequest, redaction: Redaction): void {
  const { volatile } = redaction.rules;
  redactPath(sent.path, redaction);
  redactParameters(orderedQuery(sent.query, redaction), redaction);
  const headers = Object.entries(keptHeaders(sent, redaction));
  const compared = headers.filter(([name]) => !isVolatile(volatile, "header", name));
  redactHeaderValues(Object.fromEntries(compared), redaction);
  const body = orderedBody(sent.body, redaction);
  if (body !== undefined) redactBytes(encoder.encode(body), redaction);
}

function orderedQuery(query: string, { rules }: Redaction): string {
  const pairs = query.split("&").map((pair) => {
    const [name = ""] = pair.split("=", 1);
    return { pair, name: decodedParameter(name) };
  });
  return pairs
    .filter(({ name }) => !isVolatile(rules.volatile, "query", name))
    .toSorted((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0))
    .map(({ pair }) => pair)
    .join("&");
}

/** Undefined for a body that is not told by its value: there the order is that of its text. */
function orderedBody(body: Uint8Array | undefined, { rules }: Redaction): string | undefined {
  const text = body === undefined ? undefined : utf8Text(body);
  const value = text === undefined ? undefined : bodyValue({ text });
  const places = rules.volatile.filter(({ head }) => head === "body").map(({ steps }) => steps);
  return value === undefined || isPlace(places) ? undefined : canonicalJson(value, places);
}

/** The headers that the rules name, sorted by name. */
function keptHeaders(sent: SentRequest, { rules }: Redaction): Readonly<Record<string, string>> {
  const kept = rules.headers.flatMap((name) => {
    const value = Object.hasOwn(sent.headers, name) ? sent.headers[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
}

/** A path without what is to be taken out of its segments. */
function redactPath(path: string, redaction: Redaction): string {
  return path
    .split("/")
    .map((segment) => redactPart(segment, redaction))
    .join("/");
}

/** A query without the values of keys, and without what else is to be taken out. */
function redactParameters(query: string, redaction: Redaction): string {
  return query
    .split("&")
    .map((pair) => redactPair(pair, redaction))
    .join("&");
}

/** Has the secrets of a path and a query looked for in every place. */
function learnFromTarget(path: string, query: string, redaction: Redaction): void {
  for (const segment of path.split("/")) learnFrom(decodedPart(segment) ?? segment, redaction);
  if (query === "") return;
  for (const pair of query.split("&")) {
    const { name, value } = splitPair(pair);
    learnFrom(decodedOrRaw(name), redaction);
    if (value === undefined) continue;
    const as = nameOfSecret(decodedOrRaw(name), redaction);
    if (as === undefined) learnFrom(decodedOrRaw(value), redaction);
    else redaction.placeholders.know(decodedOrRaw(value), as);
  }
}

function redactPair(pair: string, redaction: Redaction): string {
  const { name, value } = splitPair(pair);
  const shown = redactPart(name, redaction, true);
  if (value === undefined) return shown;
  const as = nameOfSecret(decodedOrRaw(name), redaction);
  if (as === undefined || value === "") return `${shown}=${redactPart(value, redaction, true)}`;
  return `${shown}=${redaction.placeholders.of(decodedOrRaw(value), as)}`;
}

function splitPair(pair: string): { readonly name: string; readonly value: string | undefined } {
  const end = pair.indexOf("=");
  return end === -1
    ? { name: pair, value: undefined }
    : { name: pair.slice(0, end), value: pair.slice(end + 1) };
}

/** What placeholders for a parameter's values are called; undefined: it is no secret. */
function nameOfSecret(name: string, { rules, of }: Redaction): string | undefined {
  const rule = ruleAt(rules.places, "query", name);
  if (rule !== undefined) return rule.as;
  const isSecret = of === "rest" ? isSecretName : isSecretHeader;
  return isSecret(name) ? placeholderName(name) : undefined;
}

/** A part of a URL: decoded, so that it does not count how it was encoded, and as it was sent where nothing is secret. */
// oxlint-disable-next-line max-params -- a flag for the plus signs of queries
function redactPart(part: string, redaction: Redaction, isQuery = false): string {
  const spaced = isQuery ? part.replaceAll("+", " ") : part;
  const decoded = decodedPart(spaced);
  if (decoded === undefined) return redactText(part, redaction);
  const redacted = redactText(decoded, redaction);
  return redacted === decoded ? part : encodedAround(redacted, redaction.placeholders);
}

function decodedOrRaw(part: string): string {
  return decodedPart(part.replaceAll("+", " ")) ?? part;
}

/** Encodes what is no placeholder. */
function encodedAround(text: string, placeholders: NumberedPlaceholders): string {
  let result = "";
  let end = 0;
  for (const span of placeholders.spansIn(text)) {
    result += encoded(text.slice(end, span.start)) + text.slice(span.start, span.end);
    end = span.end;
  }
  return result + encoded(text.slice(end));
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":");
}

/** Headers without what is to be taken out. */
export function redactHeaderValues(
  headers: Readonly<Record<string, string>>,
  redaction: Redaction,
): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).map(
    ([name, value]) => [name, redactHeader(name, value, redaction)] as const,
  );
  return Object.fromEntries(shown);
}

// oxlint-disable-next-line max-params -- a header is a name and a value
function redactHeader(name: string, value: string, redaction: Redaction): string {
  const rule = ruleAt(redaction.rules.places, "header", name);
  if (rule !== undefined) return value === "" ? value : redaction.placeholders.of(value, rule.as);
  return settled(value, (current) =>
    edited(current, textEdits(current, redaction, findCredentials(name, current).found)),
  );
}

/** Has the secrets of a header looked for in every place. */
function learnFromHeader(name: string, value: string, redaction: Redaction): void {
  const { rules, placeholders } = redaction;
  const rule = ruleAt(rules.places, "header", name);
  if (rule !== undefined) placeholders.know(value, rule.as);
  const { found, hidden } = findCredentials(name, value);
  for (const secret of [...found, ...hidden]) placeholders.know(secret.value, secret.as);
}

/** The first rule for a header or a parameter. */
function ruleAt(
  rules: readonly PlaceRule[],
  head: Place["head"],
  name: string,
): PlaceRule | undefined {
  return rules.find(
    ({ head: own, steps: [step] }) => own === head && (step === anyStep || step === name),
  );
}

/** The same of what rules find in it: of a header that is kept. */
export function learnFromKeptHeader(name: string, value: string, redaction: Redaction): void {
  learnFromHeader(name, value, redaction);
  learnFrom(value, redaction);
}
