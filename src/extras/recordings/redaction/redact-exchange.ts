import { utf8Text } from "../../../core/http/bytes.ts";
import { isSecretHeader, isSecretName } from "../../../core/http/secret-names.ts";
import type {
  RecordedRequest,
  SentRequest,
  RecordedAnswer,
  Recording,
  RecordedBody,
  RecordedPart,
} from "../../../core/replay/cassette.ts";
import { decodedParameter, decodedPart } from "../../../core/http/url-parts.ts";
import {
  bodyValue,
  recordRequestBody,
  bodyBytes,
  bodyText,
  isJson,
  recordText,
} from "../../../core/replay/recorded-body.ts";
import { anyStep, isPlace, isVolatile, type Place } from "../../../core/replay/recording-path.ts";
import type { PlaceRule, CompiledRules } from "../../../core/replay/recording-rules.ts";
import { canonicalJson } from "../../../core/replay/request-key.ts";
import { findCredentials, hiddenCredentials } from "./find-credentials.ts";
import { NumberedPlaceholders, placeholderName } from "./numbered-placeholders.ts";
import {
  edited,
  secretsToFind,
  placeholderFor,
  redactText,
  type Redaction,
  untilUnchanged,
  textEdits,
  type Edit,
  editsByPiece,
  hasRulesFor,
} from "./redaction.ts";
import { binaryBytes, binaryText, toBase64 } from "../../../core/replay/base64.ts";
import { groupBy } from "../../../core/replay/group-by.ts";
import type { Span } from "../../../core/replay/rule-matches.ts";
import { decodedString, walkJson, type JsonPiece } from "./walk-json.ts";
import { jsonExcess } from "../../../core/http/json-body.ts";

const encoder = new TextEncoder();

/** What is kept of a request, without what is to be taken out. */
export function redactRequest(sent: SentRequest, redaction: Redaction): RecordedRequest {
  redactParts(inOrder(sent, redaction), redaction);
  return redactParts(sent, redaction);
}

/** The parts of a request without what is to be taken out. What is numbered gets its number when it is first seen. */
export function redactParts(sent: SentRequest, redaction: Redaction): RecordedRequest {
  const segments = sent.path.split("/").map((segment) => redactPart(segment, redaction));
  const pairs = sent.query.split("&").map((pair) => redactPair(pair, redaction));
  const query = pairs.join("&");
  const headers = redactHeaders(keptHeaders(sent, redaction), redaction, sent.headers);
  const body = recordRequestBody(sent.body && redactBytes(sent.body, redaction));
  return {
    method: sent.method,
    path: segments.join("/"),
    ...(query === "" ? {} : { query }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
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
    .toSorted((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0))
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

/** The headers that the rules name, sorted by name. */
function keptHeaders(sent: SentRequest, { rules }: Redaction): Readonly<Record<string, string>> {
  const kept = rules.headers.flatMap((name) => {
    const value = Object.hasOwn(sent.headers, name) ? sent.headers[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
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

function learnFromHeader(name: string, value: string, { rules, placeholders }: Redaction): void {
  const rule = ruleAt(rules.places, "header", name);
  if (rule !== undefined) placeholders.know(value, rule.as);
  const secrets = [...findCredentials(name, value), ...hiddenCredentials(name, value)];
  for (const secret of secrets) placeholders.know(secret.value, secret.as);
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
}

/** Begins with a request. The same one gives the same each time, whatever key it is sent with. */
export function redactExchange(
  sent: SentRequest,
  rules: CompiledRules,
  of: Redaction["of"],
): RedactedExchange {
  const placeholders = new NumberedPlaceholders(rules);
  const { everywhere: secrets } = placeholders;
  const redaction = { rules, placeholders, of, secrets, isLearning: false };
  const learning = { ...redaction, secrets: new Map(), isLearning: true };
  redactParts(sent, learning);
  const request = redactRequest(sent, redaction);
  const known = secrets.size;
  return {
    request,
    recording(given) {
      redactAnswer(given, learning);
      const answer = redactAnswer(given, redaction);
      const hasMore = secrets.size > known;
      return { request: hasMore ? redactRequest(sent, redaction) : request, answer };
    },
  };
}

const lined = /event-stream|ndjson|jsonl|json-lines|json-seq/i;

/** An answer without what is to be taken out. */
function redactAnswer(answer: RecordedAnswer, redaction: Redaction): RecordedAnswer {
  const { headers, body, stream } = answer;
  const hasLines = lined.test(headers["content-type"] ?? "");
  return {
    ...answer,
    headers: redactHeaders(headers, redaction),
    ...(body === undefined ? {} : { body: redactBody(body, redaction) }),
    ...(stream === undefined ? {} : { stream: redactStream(stream, hasLines, redaction) }),
  };
}

/** A request's body without what is to be taken out. */
function redactBytes(bytes: Uint8Array, redaction: Redaction): Uint8Array {
  const text = utf8Text(bytes);
  const before = text ?? binaryText(bytes);
  const after = redactBodyText(before, redaction);
  if (after === before) return bytes;
  return text === undefined ? binaryBytes(after) : encoder.encode(after);
}

/** An answer's body without what is to be taken out. */
function redactBody(body: RecordedBody, redaction: Redaction): RecordedBody {
  const before = bodyText(body) ?? binaryText(bodyBytes(body));
  const after = redactBodyText(before, redaction);
  if (after === before) return body;
  return "base64" in body ? { base64: toBase64(binaryBytes(after)) } : recordText(after);
}

function redactBodyText(text: string, redaction: Redaction): string {
  return untilUnchanged(text, (current) => edited(current, bodyEdits(current, redaction)));
}

/** What is to be taken out of a body: by values where it is JSON. */
function bodyEdits(text: string, redaction: Redaction): readonly Edit[] {
  if (redaction.isLearning) redaction.placeholders.reserve(text);
  const looking = secretsToFind(text, redaction);
  if (looking === undefined) return [];
  return isJson(text) ? jsonEdits(text, looking) : textEdits(text, looking);
}

/**
 * A stream's parts without what is to be taken out, also where it begins in one part and ends in another. They keep
 * their number and their times. `hasLines`: each line is a value of its own, an event's data or JSON.
 */
function redactStream(
  parts: readonly RecordedPart[],
  hasLines: boolean,
  redaction: Redaction,
): readonly RecordedPart[] {
  const edits = hasLines ? eventEdits : bodyEdits;
  // A part may end within a character: where one has bytes, all are read with a character for each byte.
  const isBinary = parts.some((part) => "base64" in part);
  const before = parts.map((part) =>
    "text" in part && !isBinary ? part.text : binaryText(bodyBytes(part)),
  );
  const after = untilUnchanged(before, (pieces) => {
    const found = edits(pieces.join(""), redaction);
    if (found.length === 0) return pieces;
    const own = editsByPiece(pieces, found);
    return pieces.map((piece, index) => edited(piece, own[index] ?? []));
  });
  if (after === before) return parts;
  return parts.map((part, index) => {
    const piece = after[index] ?? "";
    if (piece === before[index]) return part;
    const { atMs } = part;
    if (!isBinary) return { atMs, text: piece };
    const bytes = binaryBytes(piece);
    const text = "text" in part ? utf8Text(bytes) : undefined;
    return text === undefined ? { atMs, base64: toBase64(bytes) } : { atMs, text };
  });
}

/** A line of an event stream that is not empty: the data of an event, or all of it. */
interface EventLine extends Span {
  readonly isJson: boolean;
  /** Its strings that are pieces of a longer text, such as the `content` of a `delta`. */
  readonly pieces: readonly TextPiece[];
}

/** A string of JSON, with the name of the text that it is a piece of. */
interface TextPiece extends Span {
  readonly of: string;
}

/**
 * What is to be taken out of the lines of a stream. Texts that come in pieces are looked at as one: what begins in one piece
 * and ends in another stands where it begins.
 */
function eventEdits(text: string, redaction: Redaction): readonly Edit[] {
  if (redaction.isLearning) redaction.placeholders.reserve(text);
  if (!hasRulesFor(text, redaction) && redaction.secrets.size === 0) return [];
  const lines = linesOf(text);
  const ofPieces = pieceEdits(text, lines, redaction);
  const looking = secretsToFind(text, redaction);
  const inLines = looking ?? { ...redaction, secrets: new Map() };
  const hasChanged = ({ pieces }: EventLine): boolean =>
    pieces.some(({ start }) => (ofPieces.get(start) ?? []).length > 0);
  return lines
    .filter((each) => looking !== undefined || hasChanged(each))
    .flatMap(({ start: offset, end: lineEnd, isJson: isLineJson }) => {
      const content = text.slice(offset, lineEnd);
      const edits = isLineJson
        ? jsonEdits(content, inLines, (start) => ofPieces.get(offset + start))
        : textEdits(content, inLines);
      return edits.map((edit) => ({ ...edit, start: offset + edit.start, end: offset + edit.end }));
    });
}

const line = /(?:data: ?)?(.+)/g;

function linesOf(text: string): readonly EventLine[] {
  return Array.from(text.matchAll(line), ({ 0: all, 1: content = "", index }) => {
    const start = index + all.length - content.length;
    const isLineJson = isJson(content);
    const pieces = isLineJson ? piecesIn(content, start) : [];
    return { start, end: start + content.length, isJson: isLineJson, pieces };
  });
}

const lastNames: ReadonlySet<string> = new Set(["content", "text", "response"]);

/** The strings of a line that come in pieces. */
function piecesIn(content: string, offset: number): readonly TextPiece[] {
  const strings: (Span & { readonly names: () => readonly string[] })[] = [];
  walkJson(content, [], ({ kind, start, end, names }) => {
    if (kind === "string") strings.push({ start: offset + start, end: offset + end, names });
  });
  return strings.flatMap(({ start, end, names: namesOf }) => {
    const names = namesOf();
    const isPiece = names.includes("delta") || lastNames.has(names.at(-1) ?? "");
    return isPiece ? [{ start, end, of: JSON.stringify(names) }] : [];
  });
}

/** The edits of the pieces of each text, by where the piece's token is. What is learned needs none. */
function pieceEdits(
  text: string,
  lines: readonly EventLine[],
  redaction: Redaction,
): ReadonlyMap<number, readonly Edit[]> {
  const byText = groupBy(
    lines.flatMap(({ pieces }) => pieces),
    (piece) => piece.of,
  );
  const found = new Map<number, readonly Edit[]>();
  for (const pieces of byText.values()) {
    const texts = pieces.map(({ start, end }) => decodedString(text.slice(start, end)));
    const edits = textEdits(texts.join(""), redaction);
    if (redaction.isLearning) continue;
    const own = editsByPiece(texts, edits);
    for (const [index, { start }] of pieces.entries()) found.set(start, own[index] ?? []);
  }
  return found;
}

/**
 * What is to be taken out of a valid JSON text: the values at the rules' places, and of each string what is found in it.
 * `own` has the edits of strings that are a part of a longer text, by where they begin.
 */
function jsonEdits(
  text: string,
  redaction: Redaction,
  own: (start: number) => readonly Edit[] | undefined = () => undefined,
): readonly Edit[] {
  const edits: Edit[] = [];
  walkJson(text, redaction.rules.inBodies, (piece) => {
    const { kind, start, end, rule } = piece;
    if (kind !== "string" && kind !== "key" && kind !== "number" && rule === undefined) return;
    const token = text.slice(start, end);
    if (rule !== undefined) {
      edits.push(...wholeEdits(piece, token, redaction));
    } else if (kind === "number") {
      const found = textEdits(token, redaction);
      if (found.length > 0) edits.push({ start, end, text: JSON.stringify(edited(token, found)) });
    } else {
      const found = own(start) ?? textEdits(decodedString(token), redaction);
      edits.push(...tokenEdits(found, text, start));
    }
  });
  return edits;
}

/** Nothing is secret about null and the empty text. */
function wholeEdits(
  { kind, start, end, rule }: JsonPiece,
  token: string,
  redaction: Redaction,
): readonly Edit[] {
  if (token === "null" || token === '""') return [];
  // An array or an object is a value in its own place only, and a number elsewhere is found as it is written.
  if (redaction.isLearning && kind !== "string" && kind !== "number") return [];
  const isWritten = redaction.isLearning || jsonExcess(token) !== undefined;
  const plain = isWritten ? token : canonicalJson(JSON.parse(token));
  const value = kind === "string" ? decodedString(token) : plain;
  const text = placeholderFor(value, rule?.as ?? "", redaction);
  return text === value ? [] : [{ start, end, text: JSON.stringify(text) }];
}

/** Edits of what the JSON string stands for that begins at a place of a text, as edits of how it is written. */
function tokenEdits(edits: readonly Edit[], text: string, start: number): readonly Edit[] {
  const last = edits.at(-1);
  if (last === undefined) return [];
  // Where the first characters of the string are written, and where the next one would be.
  const places: number[] = [];
  let place = start + 1;
  while (places.length <= last.end) {
    places.push(place);
    if (text[place] !== "\\") place += 1;
    else place += text[place + 1] === "u" ? 6 : 2;
  }
  return edits.map((edit) => ({
    start: places[edit.start] ?? start,
    end: places[edit.end] ?? start,
    text: edit.text,
  }));
}
