import { utf8Text } from "../../../core/http/bytes.ts";
import { binaryBytes, binaryText, toBase64 } from "../../../core/replay/base64.ts";
import type { RecordedBody, RecordedPart } from "../../../core/replay/cassette.ts";
import { bodyBytes, bodyText, isJson, recordText } from "../../../core/replay/recorded-body.ts";
import { groupBy } from "../group-by.ts";
import {
  type Edit,
  edited,
  editsByPiece,
  hasRulesFor,
  secretsToFind,
  type Redaction,
  untilUnchanged,
  textEdits,
  placeholderFor,
} from "./redaction.ts";
import type { Span } from "../../../core/replay/rule-matches.ts";
import { decodedString, walkJson, type JsonPiece } from "./walk-json.ts";
import { jsonExcess } from "../../../core/http/json-body.ts";
import { canonicalJson } from "../../../core/replay/request-key.ts";

const encoder = new TextEncoder();

/** A request's body without what is to be taken out. */
export function redactBytes(bytes: Uint8Array, redaction: Redaction): Uint8Array {
  const text = utf8Text(bytes);
  const before = text ?? binaryText(bytes);
  const after = redactBodyText(before, redaction);
  if (after === before) return bytes;
  return text === undefined ? binaryBytes(after) : encoder.encode(after);
}

/** An answer's body without what is to be taken out. */
export function redactBody(body: RecordedBody, redaction: Redaction): RecordedBody {
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
export function redactStream(
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
