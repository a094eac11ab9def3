import { binaryBytes, binaryText, fromBase64, toBase64 } from "../base64.ts";
import type { RecordedPart } from "../cassette.ts";
import { utf8Text } from "../recorded-body.ts";
import { editedPieces } from "./edits.ts";
import { eventEdits, learnFromEvents } from "./event-edits.ts";
import { bodyEdits, learnFromBody } from "./redact-body.ts";
import { type Redaction, settled } from "./redaction.ts";

/** What a stream's parts are. */
export interface StreamKind {
  /** Whether each line is a value of its own: an event's data, or JSON. */
  readonly hasLines: boolean;
}

const encoder = new TextEncoder();

/**
 * A stream's parts without what is to be taken out, also where it begins in one part and ends in another. They keep
 * their number and their times.
 */
export function redactStream(
  parts: readonly RecordedPart[],
  before: readonly string[],
  { redaction, kind }: { readonly redaction: Redaction; readonly kind: StreamKind },
): readonly RecordedPart[] {
  const edits = kind.hasLines ? eventEdits : bodyEdits;
  const after = settled(before, (pieces) =>
    editedPieces(pieces, edits(pieces.join(""), redaction)),
  );
  if (after === before) return parts;
  const isBinary = parts.some(isBytes);
  return parts.map((part, index) => {
    const piece = after[index] ?? "";
    return piece === before[index] ? part : changedPart(part, piece, isBinary);
  });
}

/** Has what rules find in a stream looked for in every place. */
export function learnFromStream(
  text: string,
  redaction: Redaction,
  { hasLines }: StreamKind,
): void {
  const learn = hasLines ? learnFromEvents : learnFromBody;
  learn(text, redaction);
}

/** Texts; where one is none, of all of them a character for each byte: a part may end within a character. */
export function piecesOf(parts: readonly RecordedPart[]): readonly string[] {
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
