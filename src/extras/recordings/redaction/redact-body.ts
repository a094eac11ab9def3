import { utf8Text } from "../../../core/http/bytes.ts";
import { binaryBytes, binaryText, toBase64 } from "../../../core/replay/base64.ts";
import type { RecordedBody, RecordedPart } from "../../../core/replay/cassette.ts";
import { bodyBytes, bodyText, isJson, recordText } from "../../../core/replay/recorded-body.ts";
import { eventEdits, isLined } from "./event-edits.ts";
import { jsonEdits } from "./json-edits.ts";
import {
  type Edit,
  edited,
  editsByPiece,
  learnFrom,
  type Redaction,
  secretsToFind,
  textEdits,
  untilUnchanged,
} from "./redaction.ts";
import { walkJson } from "./walk-json.ts";

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

/** What is to be taken out of a body: by values where it is JSON, or lines of it. */
function bodyEdits(text: string, redaction: Redaction): readonly Edit[] {
  if (redaction.isLearning) learnFrom(withoutAllowed(text, redaction), redaction);
  const isWhole = isJson(text);
  if (!isWhole && isLined(text)) return eventEdits(text, redaction);
  const looking = secretsToFind(text, redaction);
  if (looking === undefined) return [];
  return isWhole ? jsonEdits(text, looking) : textEdits(text, looking);
}

/** A body without the values at places where what looks like a secret is none. */
function withoutAllowed(text: string, { rules }: Redaction): string {
  const places = rules.likely.allowedPlaces.filter(({ head }) => head === "body");
  if (places.length === 0) return text;
  return text.replaceAll(isJson(text) ? /^[^]+$/g : /(?<=^(?:data: ?)?)[[{].*/gm, (value) => {
    if (!isJson(value)) return value;
    const taken: Edit[] = [];
    walkJson(value, places, ({ start, end, rule }) => {
      if (rule !== undefined) taken.push({ start, end, text: "null" });
    });
    return edited(value, taken);
  });
}

/**
 * A stream's parts without what is to be taken out, also where it begins in one part and ends in another. They keep
 * their number and their times.
 */
export function redactStream(
  parts: readonly RecordedPart[],
  redaction: Redaction,
): readonly RecordedPart[] {
  // A part may end within a character: where one has bytes, all are read with a character for each byte.
  const isBinary = parts.some((part) => "base64" in part);
  const before = parts.map((part) =>
    "text" in part && !isBinary ? part.text : binaryText(bodyBytes(part)),
  );
  const after = untilUnchanged(before, (pieces) => {
    const found = bodyEdits(pieces.join(""), redaction);
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
