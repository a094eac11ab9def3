import { binaryBytes, binaryText, fromBase64, toBase64 } from "../../../core/replay/base64.ts";
import type { RecordedBody, RecordedPart } from "../../../core/replay/cassette.ts";
import {
  bodyBytes,
  bodyText,
  isJson,
  recordText,
  utf8Text,
} from "../../../core/replay/recorded-body.ts";
import { eventEdits } from "./event-edits.ts";
import { jsonEdits } from "./json-edits.ts";
import {
  type Edit,
  edited,
  editsByPiece,
  lookingWhereNeeded,
  type Redaction,
  settled,
  textEdits,
} from "./redaction.ts";

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
  return settled(text, (current) => edited(current, bodyEdits(current, redaction)));
}

/** What is to be taken out of a body: by values where it is JSON. */
function bodyEdits(text: string, redaction: Redaction): readonly Edit[] {
  if (redaction.isLearning) redaction.placeholders.reserve(text);
  const looking = lookingWhereNeeded(text, redaction);
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
  const before = piecesOf(parts);
  const after = settled(before, (pieces) => {
    const found = edits(pieces.join(""), redaction);
    if (found.length === 0) return pieces;
    const own = editsByPiece(pieces, found);
    return pieces.map((piece, index) => edited(piece, own[index] ?? []));
  });
  if (after === before) return parts;
  const isBinary = parts.some(isBytes);
  return parts.map((part, index) => {
    const piece = after[index] ?? "";
    return piece === before[index] ? part : changedPart(part, piece, isBinary);
  });
}

/** Texts; where one is none, of all of them a character for each byte: a part may end within a character. */
function piecesOf(parts: readonly RecordedPart[]): readonly string[] {
  if (!parts.some(isBytes)) return parts.map((part) => ("text" in part ? part.text : ""));
  return parts.map((part) =>
    binaryText(
      "text" in part ? encoder.encode(part.text) : (fromBase64(part.base64) ?? new Uint8Array()),
    ),
  );
}

function isBytes(part: RecordedPart): boolean {
  return "base64" in part;
}

// oxlint-disable-next-line max-params -- the part, what it has now, and how to read that
function changedPart(part: RecordedPart, piece: string, isBinary: boolean): RecordedPart {
  if (!isBinary) return { atMs: part.atMs, text: piece };
  const bytes = binaryBytes(piece);
  const text = "text" in part ? utf8Text(bytes) : undefined;
  return text === undefined
    ? { atMs: part.atMs, base64: toBase64(bytes) }
    : { atMs: part.atMs, text };
}
