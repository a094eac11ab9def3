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
  applyEdits,
  learnFrom,
  placeholderFor,
  redactText,
  type Redaction,
  secretsToFind,
  textEdits,
  untilUnchanged,
} from "./redaction.ts";

const encoder = new TextEncoder();

/** Redacts a request, and keeps only what recordings need. */
function redactRequest(sent: SentRequest, redaction: Redaction): RecordedRequest {
  redactParts(inOrder(sent, redaction), redaction);
  return redactParts(sent, redaction);
}

/** Redacts the parts of a request. Placeholders are numbered in the order in which values are found. */
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
 * A request with its parts sorted, and without volatile ones. Requests that replay takes for the same have the same
 * order here, so that their placeholders get the same numbers.
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

/**
 * A body with its keys sorted. Undefined if the body contains no secrets, or is not compared as JSON: then the order of
 * its text counts.
 */
function orderedBody(body: Uint8Array | undefined, redaction: Redaction): Uint8Array | undefined {
  const text = body === undefined ? undefined : utf8Text(body);
  if (text === undefined || secretsToFind(text, redaction) === undefined) return undefined;
  const value = bodyValue({ text });
  const bodies = redaction.rules.volatile.filter(({ head }) => head === "body");
  const places = bodies.map(({ steps }) => steps);
  if (value === undefined || isPlace(places)) return undefined;
  return encoder.encode(canonicalJson(value, places));
}

/** Redacts a parameter of a query. If its name means a key, its whole value is redacted. */
function redactPair(pair: string, redaction: Redaction): string {
  const end = pair.indexOf("=");
  if (end === -1) return redactPart(pair, redaction, true);
  const [name, value] = [pair.slice(0, end), pair.slice(end + 1)];
  const shown = redactPart(name, redaction, true);
  const as = nameOfSecret(decodedParameter(name), redaction);
  if (as === undefined || value === "") return `${shown}=${redactPart(value, redaction, true)}`;
  return `${shown}=${placeholderFor(decodedParameter(value), as, redaction)}`;
}

/** The name of the placeholders for a parameter's values; undefined if the parameter is not secret. */
function nameOfSecret(name: string, { rules, of }: Redaction): string | undefined {
  const rule = ruleAt(rules.places, "query", name);
  if (rule !== undefined) return rule.as;
  return interfaces[of].isSecretParameter(name) ? placeholderName(name) : undefined;
}

/**
 * Redacts a part of a URL. It is decoded first, so that its encoding makes no difference. Without secrets, it stays as
 * it was sent.
 */
function redactPart(part: string, redaction: Redaction, isQuery = false): string {
  const spaced = isQuery ? part.replaceAll("+", " ") : part;
  const decoded = decodedPart(spaced);
  if (decoded === undefined) return redactText(part, redaction);
  const redacted = redactText(decoded, redaction);
  return redacted === decoded ? part : encodedAround(redacted, redaction.placeholders);
}

/** Percent-encodes everything but placeholders. */
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

/** Redacts headers. Secrets are learned from all headers that were sent, whether they are kept or not. */
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
    applyEdits(current, textEdits(current, redaction, findCredentials(name, current))),
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

/** A redacted exchange. */
export interface RedactedExchange {
  /** The request by which replay searches. In it, only secrets that the request itself reveals are redacted. */
  readonly request: RecordedRequest;
  /** The recording to write. Secrets that only the answer reveals are redacted in the request, too. */
  readonly recording: (answer: RecordedAnswer) => Recording;
  /** The values found so far that only look like secrets, with their kinds. */
  readonly likely: ReadonlyMap<string, string>;
}

/** Redacts a request, and its answer later. The same request gives the same result whatever key it was sent with. */
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

/** Redacts an answer. */
function redactAnswer(answer: RecordedAnswer, redaction: Redaction): RecordedAnswer {
  const { headers, body, stream } = answer;
  return {
    ...answer,
    headers: redactHeaders(headers, redaction),
    ...(body === undefined ? {} : { body: redactBody(body, redaction) }),
    ...(stream === undefined ? {} : { stream: redactStream(stream, redaction) }),
  };
}
