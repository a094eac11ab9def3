import { binaryBytes, binaryText, fromBase64, toBase64 } from "../../../core/replay/base64.ts";
import type { RecordedBody, RecordedPart } from "../../../core/replay/cassette.ts";
import {
  bodyBytes,
  bodyText,
  isJson,
  recordText,
  utf8Text,
} from "../../../core/replay/recorded-body.ts";
import { eventEdits, learnFromEvents } from "./event-edits.ts";
import { findSecrets } from "./find-secrets.ts";
import { jsonEdits, learnFromJson } from "./json-edits.ts";
import {
  type Edit,
  edited,
  editsByPiece,
  hasRulesFor,
  learnFrom,
  type Redaction,
  ruleEdits,
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

/** Whether there may be something to take out of a request's body: most have nothing that is secret. */
export function mayHoldBytes(bytes: Uint8Array, redaction: Redaction): boolean {
  const text = utf8Text(bytes) ?? binaryText(bytes);
  return hasRulesFor(text, redaction) || hasSecrets(text, redaction);
}

function hasSecrets(text: string, { placeholders }: Redaction): boolean {
  return findSecrets(text, placeholders.everywhere).length > 0;
}

/** What is to be taken out of a body: by values where it is JSON. */
function bodyEdits(text: string, redaction: Redaction): readonly Edit[] {
  const look = hasSecrets(text, redaction) ? textEdits : ruleEdits;
  if (look === ruleEdits && !hasRulesFor(text, redaction)) return [];
  return isJson(text) ? jsonEdits(text, redaction, { look }) : look(text, redaction);
}

/** Has what rules find in a body looked for in every place. */
export function learnFromBody(text: string, redaction: Redaction): void {
  if (!hasRulesFor(text, redaction)) return;
  if (isJson(text)) learnFromJson(text, redaction);
  else learnFrom(text, redaction);
}

/** What a stream's parts are. */
export interface StreamKind {
  /** Whether each line is a value of its own: an event's data, or JSON. */
  readonly hasLines: boolean;
}

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
