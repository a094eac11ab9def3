import { groupBy } from "../group-by.ts";
import { isJson, bodyBytes, bodyText, recordText } from "../../../core/recordings/recorded-body.ts";
import { type Part, partsIn } from "../replay/multipart.ts";
import { anyStep } from "../../../core/recordings/recording-path.ts";
import type { PlaceRule } from "../../../core/recordings/recording-rules.ts";
import { mergeOverlaps, type Span } from "../replay/rule-matches.ts";
import { jsonEdits } from "./json-edits.ts";
import {
  type Edit,
  type EventLine,
  editsByPiece,
  hasRulesFor,
  learnFrom,
  placeholderFor,
  type Redaction,
  type TextPiece,
  secretsToFind,
  textEdits,
  applyEdits,
  untilUnchanged,
} from "./redaction.ts";
import { decodedString, walkJson } from "./walk-json.ts";
import { utf8Text } from "../../../core/http/bytes.ts";
import { binaryBytes, binaryText, toBase64 } from "../../../core/http/base64.ts";
import type { RecordedBody, RecordedPart } from "../../../core/recordings/cassette.ts";

/**
 * The edits that redact the lines of a stream. Texts that are sent in pieces are searched as a whole; a value that
 * continues in another piece is replaced in the piece where it begins.
 */
function eventEdits(text: string, redaction: Redaction): readonly Edit[] {
  const { isLearning, rules, secrets } = redaction;
  const isSearched = isLearning ? rules.likely.mode !== "ignore" : secrets.size > 0;
  if (!isSearched && !hasRulesFor(text, redaction)) return [];
  const lines = readLines(text, redaction);
  const ofPieces = pieceEdits(text, lines, redaction);
  const looking = secretsToFind(text, redaction);
  const inLines = looking ?? { ...redaction, secrets: new Map() };
  const hasChanged = ({ pieces }: EventLine): boolean =>
    pieces.some(({ start }) => (ofPieces.get(start) ?? []).length > 0);
  const found = lines
    .filter((each) => looking !== undefined || hasChanged(each))
    .flatMap(({ start: offset, end: lineEnd, isJson: isLineJson }) => {
      const content = text.slice(offset, lineEnd);
      const edits = isLineJson
        ? jsonEdits(content, inLines, (start) => ofPieces.get(offset + start))
        : textEdits(content, inLines);
      return edits.map((edit) => ({ ...edit, start: offset + edit.start, end: offset + edit.end }));
    });
  return withLongEdits(text, found, inLines);
}

/** Adds edits of values that continue over several lines, such as a private key. */
function withLongEdits(
  text: string,
  found: readonly Edit[],
  redaction: Redaction,
): readonly Edit[] {
  const isLong = ({ start, end }: Edit): boolean => /[\r\n]/.test(text.slice(start, end));
  const long = redaction.isLearning ? [] : textEdits(text, redaction).filter(isLong);
  return long.length === 0 ? found : mergeOverlaps([...found, ...long]);
}

const field = /^\uFEFF?(?:data|event|id|retry)?:/m;

/** Whether each line of a text is a value of its own, whatever its type says: a field of an event, or JSON. */
function isLined(text: string): boolean {
  if (field.test(text)) return true;
  const first = /^\s*(.+)/.exec(text)?.[1] ?? "";
  return /^[[{]/.test(first) && isJson(first);
}

const line = /(?:data: ?)?(.+)/g;

/** The lines of a text. They are cached, since a text is read twice: to learn its secrets, and to redact them. */
function readLines(text: string, { latest }: Redaction): readonly EventLine[] {
  if (latest.text !== text) Object.assign(latest, { text, lines: linesOf(text) });
  return latest.lines;
}

function linesOf(text: string): readonly EventLine[] {
  return Array.from(text.matchAll(line), ({ 0: all, 1: content = "", index }) => {
    const start = index + all.length - content.length;
    const isLineJson = isJson(content);
    const pieces = isLineJson ? piecesIn(content, start) : [];
    return { start, end: start + content.length, isJson: isLineJson, pieces };
  });
}

const lastNames: ReadonlySet<string> = new Set(["content", "text", "response"]);

/** The strings of a line that are pieces of longer texts. */
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

/** The edits of pieces, by the position of the piece. There are none while secrets are being learned. */
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
    const joined = texts.join("");
    if (redaction.isLearning) learnFrom(joined, redaction);
    const edits = textEdits(joined, redaction);
    if (redaction.isLearning) continue;
    const own = editsByPiece(texts, edits);
    for (const [index, { start }] of pieces.entries()) found.set(start, own[index] ?? []);
  }
  return found;
}

const encoder = new TextEncoder();

/** Redacts a request's body. */
export function redactBytes(bytes: Uint8Array, redaction: Redaction): Uint8Array {
  const text = utf8Text(bytes);
  const before = text ?? binaryText(bytes);
  const after = redactBodyText(before, redaction);
  if (after === before) return bytes;
  return text === undefined ? binaryBytes(after) : encoder.encode(after);
}

/** Redacts an answer's body. */
export function redactBody(body: RecordedBody, redaction: Redaction): RecordedBody {
  const before = bodyText(body) ?? binaryText(bodyBytes(body));
  const after = redactBodyText(before, redaction);
  if (after === before) return body;
  return "base64" in body ? { base64: toBase64(binaryBytes(after)) } : recordText(after);
}

function redactBodyText(text: string, redaction: Redaction): string {
  return untilUnchanged(text, (current) => applyEdits(current, bodyEdits(current, redaction)));
}

/** The edits that redact a body: by values if it is JSON, or has lines of JSON. */
function bodyEdits(text: string, redaction: Redaction): readonly Edit[] {
  if (redaction.isLearning) learnFrom(withoutAllowed(text, redaction), redaction);
  const isWhole = isJson(text);
  const parts = isWhole ? undefined : partsIn(text);
  if (parts !== undefined) return partEdits(text, parts, redaction);
  if (!isWhole && isLined(text)) return eventEdits(text, redaction);
  const looking = secretsToFind(text, redaction);
  if (looking === undefined) return [];
  return isWhole ? jsonEdits(text, looking) : textEdits(text, looking);
}

/** The edits that redact a multipart body: fields at the places of rules as a whole, and secrets anywhere. */
function partEdits(text: string, parts: readonly Part[], redaction: Redaction): readonly Edit[] {
  const { rules, isLearning } = redaction;
  if (isLearning) learnFrom(asForm(text, parts, redaction), redaction);
  const whole = parts.flatMap(({ name, start, end }): readonly Edit[] => {
    const rule = ruleOf(name, rules.inBodies);
    if (rule === undefined || start === end) return [];
    const value = text.slice(start, end);
    const placeholder = placeholderFor(value, rule.as, redaction);
    return placeholder === value ? [] : [{ start, end, text: placeholder }];
  });
  const looking = secretsToFind(text, redaction);
  return looking === undefined ? whole : mergeOverlaps([...whole, ...textEdits(text, looking)]);
}

/** The fields in the form of query parameters, whose names show which values are secret. */
function asForm(text: string, parts: readonly Part[], { rules }: Redaction): string {
  const { allowedPlaces } = rules.likely;
  return parts
    .filter(
      ({ name, filename }) => filename === undefined && ruleOf(name, allowedPlaces) === undefined,
    )
    .map(({ name, start, end }) => `${name}=${encodeURIComponent(text.slice(start, end))}`)
    .join("&");
}

/** The first rule for a field. */
function ruleOf(name: string, rules: readonly PlaceRule[]): PlaceRule | undefined {
  return rules.find(
    ({ head, steps: [step, ...more] }) =>
      head === "body" && more.length === 0 && (step === anyStep || step === name),
  );
}

/** A body without the values at allowed places, where nothing counts as looking like a secret. */
function withoutAllowed(text: string, { rules }: Redaction): string {
  const places = rules.likely.allowedPlaces.filter(({ head }) => head === "body");
  if (places.length === 0) return text;
  return text.replaceAll(isJson(text) ? /^[^]+$/g : /(?<=^(?:data: ?)?)[[{].*/gm, (value) => {
    if (!isJson(value)) return value;
    const taken: Edit[] = [];
    walkJson(value, places, ({ start, end, rule }) => {
      if (rule !== undefined) taken.push({ start, end, text: "null" });
    });
    return applyEdits(value, taken);
  });
}

/**
 * Redacts the parts of a stream, including values that continue from one part to the next. Parts keep their number and
 * their times.
 */
export function redactStream(
  parts: readonly RecordedPart[],
  redaction: Redaction,
): readonly RecordedPart[] {
  // A part may end within a character. If one contains bytes, all parts are read with one character per byte.
  const isBinary = parts.some((part) => "base64" in part);
  const before = parts.map((part) =>
    "text" in part && !isBinary ? part.text : binaryText(bodyBytes(part)),
  );
  const after = untilUnchanged(before, (pieces) => {
    const found = bodyEdits(pieces.join(""), redaction);
    if (found.length === 0) return pieces;
    const own = editsByPiece(pieces, found);
    return pieces.map((piece, index) => applyEdits(piece, own[index] ?? []));
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
