import { interfaces } from "../../../core/interface.ts";
import { utf8Text } from "../../../core/http/bytes.ts";
import type {
  RecordedRequest,
  SentRequest,
  RecordedAnswer,
  Recording,
} from "../../../core/recordings/cassette.ts";
import { decodedParameter, decodedPart } from "../../../core/http/url-parts.ts";
import { bodyValue } from "../../../core/recordings/recorded-body.ts";
import { keptHeaders, recordedRequest } from "../replay/recorded-request.ts";
import {
  anyStep,
  isPlace,
  isVolatile,
  type Place,
} from "../../../core/recordings/recording-path.ts";
import type { PlaceRule, CompiledRules } from "../../../core/recordings/recording-rules.ts";
import { compare } from "../../../core/schema/compare.ts";
import { canonicalJson } from "../replay/request-key.ts";
import { findCredentials, hiddenCredentials } from "./find-credentials.ts";
import { NumberedPlaceholders, placeholderName } from "./numbered-placeholders.ts";
import { redactBytes, redactBody, redactStream } from "./redact-body.ts";
import {
  edited,
  learnFrom,
  placeholderFor,
  redactText,
  type Redaction,
  secretsToFind,
  textEdits,
  untilUnchanged,
} from "./redaction.ts";

const encoder = new TextEncoder();

/** What is kept of a request, without what is to be taken out. */
function redactRequest(sent: SentRequest, redaction: Redaction): RecordedRequest {
  redactParts(inOrder(sent, redaction), redaction);
  return redactParts(sent, redaction);
}

/** The parts of a request without what is to be taken out. What is numbered gets its number when it is first seen. */
function redactParts(sent: SentRequest, redaction: Redaction): RecordedRequest {
  if (redaction.isLearning) learnFromAddress(sent, redaction);
  const segments = sent.path.split("/").map((segment) => redactPart(segment, redaction));
  const pairs = sent.query.split("&").map((pair) => redactPair(pair, redaction));
  const query = pairs.join("&");
  const named = keptHeaders(sent, redaction.rules.headers);
  const headers = redactHeaders(named, redaction, sent.headers);
  const body = sent.body && redactBytes(sent.body, redaction);
  return recordedRequest({ method: sent.method, path: segments.join("/"), query, body }, headers);
}

function learnFromAddress({ path, query }: SentRequest, redaction: Redaction): void {
  const pairs = query.split("&").filter((pair) => {
    const [name = ""] = pair.split("=", 1);
    return !isAllowed(redaction, "query", decodedParameter(name));
  });
  learnFrom(path, redaction);
  learnFrom(pairs.join("&"), redaction);
}

function isAllowed({ rules }: Redaction, head: "header" | "query", name: string): boolean {
  return ruleAt(rules.likely.allowedPlaces, head, name) !== undefined;
}

/**
 * A request in an order that is the same for all requests that replay takes for the same: parameters and members by their
 * names, without what is volatile.
 */
function inOrder(sent: SentRequest, redaction: Redaction): SentRequest {
  const { volatile } = redaction.rules;
  const headers = Object.entries(sent.headers).filter(
    ([name]) => !isVolatile(volatile, "header", name),
  );
  return {
    ...sent,
    query: orderedQuery(sent.query, redaction),
    headers: Object.fromEntries(headers),
    body: orderedBody(sent.body, redaction),
  };
}

function orderedQuery(query: string, { rules }: Redaction): string {
  const pairs = query.split("&").map((pair) => {
    const [name = ""] = pair.split("=", 1);
    return { pair, name: decodedParameter(name) };
  });
  return pairs
    .filter(({ name }) => !isVolatile(rules.volatile, "query", name))
    .toSorted((left, right) => compare(left.name, right.name))
    .map(({ pair }) => pair)
    .join("&");
}

/** Undefined for a body that has nothing to number, or is not told by its value: there the order is that of its text. */
function orderedBody(body: Uint8Array | undefined, redaction: Redaction): Uint8Array | undefined {
  const text = body === undefined ? undefined : utf8Text(body);
  if (text === undefined || secretsToFind(text, redaction) === undefined) return undefined;
  const value = bodyValue({ text });
  const bodies = redaction.rules.volatile.filter(({ head }) => head === "body");
  const places = bodies.map(({ steps }) => steps);
  if (value === undefined || isPlace(places)) return undefined;
  return encoder.encode(canonicalJson(value, places));
}

/** A parameter of a query without the value of a key, and without what else is to be taken out. */
function redactPair(pair: string, redaction: Redaction): string {
  const end = pair.indexOf("=");
  if (end === -1) return redactPart(pair, redaction, true);
  const [name, value] = [pair.slice(0, end), pair.slice(end + 1)];
  const shown = redactPart(name, redaction, true);
  const as = nameOfSecret(decodedParameter(name), redaction);
  if (as === undefined || value === "") return `${shown}=${redactPart(value, redaction, true)}`;
  return `${shown}=${placeholderFor(decodedParameter(value), as, redaction)}`;
}

/** What placeholders for a parameter's values are called; undefined: it is no secret. */
function nameOfSecret(name: string, { rules, of }: Redaction): string | undefined {
  const rule = ruleAt(rules.places, "query", name);
  if (rule !== undefined) return rule.as;
  return interfaces[of].isSecretParameter(name) ? placeholderName(name) : undefined;
}

/** A part of a URL: decoded, so that it does not count how it was encoded, and as it was sent where nothing is secret. */
function redactPart(part: string, redaction: Redaction, isQuery = false): string {
  const spaced = isQuery ? part.replaceAll("+", " ") : part;
  const decoded = decodedPart(spaced);
  if (decoded === undefined) return redactText(part, redaction);
  const redacted = redactText(decoded, redaction);
  return redacted === decoded ? part : encodedAround(redacted, redaction.placeholders);
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

/** Headers without what is to be taken out. Of all that were sent, kept or not, the secrets are learned. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redaction: Redaction,
  sent: SentRequest["headers"] = headers,
): Readonly<Record<string, string>> {
  const { isLearning } = redaction;
  for (const name of isLearning ? Object.keys(sent).toSorted() : []) {
    learnFromHeader(name, sent[name] ?? "", redaction);
  }
  const shown = Object.entries(headers).map(
    ([name, value]) => [name, redactHeader(name, value, redaction)] as const,
  );
  return Object.fromEntries(shown);
}

function redactHeader(name: string, value: string, redaction: Redaction): string {
  const rule = ruleAt(redaction.rules.places, "header", name);
  if (rule !== undefined && value !== "" && !redaction.isLearning) {
    return placeholderFor(value, rule.as, redaction);
  }
  return untilUnchanged(value, (current) =>
    edited(current, textEdits(current, redaction, findCredentials(name, current))),
  );
}

function learnFromHeader(name: string, value: string, redaction: Redaction): void {
  const { rules, placeholders } = redaction;
  const rule = ruleAt(rules.places, "header", name);
  if (rule !== undefined) placeholders.know(value, rule.as);
  const secrets = [...findCredentials(name, value), ...hiddenCredentials(name, value)];
  for (const secret of secrets) placeholders.know(secret.value, secret.as);
  if (!isAllowed(redaction, "header", name)) learnFrom(value, redaction);
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

/** One exchange, without what must not be written. */
export interface RedactedExchange {
  /** What replay looks for: only the request itself says what is secret in it. */
  readonly request: RecordedRequest;
  /** Both, to be written: what only the answer shows to be secret is taken out of the request, too. */
  readonly recording: (answer: RecordedAnswer) => Recording;
  /** The values found so far that only their looks show to be secret, with their kinds. */
  readonly likely: ReadonlyMap<string, string>;
}

/** Begins with a request. The same one gives the same each time, whatever key it is sent with. */
export function redactExchange(
  sent: SentRequest,
  rules: CompiledRules,
  of: Redaction["of"],
): RedactedExchange {
  const placeholders = new NumberedPlaceholders(rules);
  const { everywhere: secrets } = placeholders;
  const latest = { text: "", lines: [] };
  const redaction = { rules, placeholders, of, secrets, isLearning: false, latest };
  const learning = { ...redaction, secrets: new Map(), isLearning: true };
  redactParts(sent, learning);
  const request = redactRequest(sent, redaction);
  const known = secrets.size;
  return {
    request,
    likely: placeholders.likely,
    recording(given) {
      redactAnswer(given, learning);
      const answer = redactAnswer(given, redaction);
      const hasMore = secrets.size > known;
      return { request: hasMore ? redactRequest(sent, redaction) : request, answer };
    },
  };
}

/** An answer without what is to be taken out. */
function redactAnswer(answer: RecordedAnswer, redaction: Redaction): RecordedAnswer {
  const { headers, body, stream } = answer;
  return {
    ...answer,
    headers: redactHeaders(headers, redaction),
    ...(body === undefined ? {} : { body: redactBody(body, redaction) }),
    ...(stream === undefined ? {} : { stream: redactStream(stream, redaction) }),
  };
}
