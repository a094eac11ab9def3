import { canonicalJson } from "../canonical-json.ts";
import type { RecordedRequest } from "../cassette.ts";
import { decodedParameter } from "../query-pairs.ts";
import { bodyValue, recordRequestBody, utf8Text } from "../recorded-body.ts";
import { isPlace, isVolatile } from "../recording-path.ts";
import type { SentRequest } from "../sent-request.ts";
import { learnFromBody, mayHoldBytes, redactBytes } from "./redact-body.ts";
import { learnFromHeader, learnFromKeptHeader, redactHeaders } from "./redact-header.ts";
import { learnFromTarget, redactPath, redactQuery } from "./redact-target.ts";
import type { Redaction } from "./redaction.ts";

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
  const query = redactQuery(sent.query, redaction);
  const headers = redactHeaders(keptHeaders(sent, redaction), redaction);
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
  redactQuery(orderedQuery(sent.query, redaction), redaction);
  const headers = Object.entries(keptHeaders(sent, redaction));
  const compared = headers.filter(([name]) => !isVolatile(volatile, "header", name));
  redactHeaders(Object.fromEntries(compared), redaction);
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
