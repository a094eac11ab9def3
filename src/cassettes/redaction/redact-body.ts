import { binaryBytes, binaryText, toBase64 } from "../base64.ts";
import type { RecordedBody } from "../cassette.ts";
import { bodyBytes, bodyText, recordText, utf8Text } from "../recorded-body.ts";
import { type Edit, edited } from "./edits.ts";
import { findSecrets } from "./find-secrets.ts";
import { jsonEdits, learnFromJson } from "./json-edits.ts";
import { learnFrom, type Redaction, settled, textEdits } from "./redaction.ts";

/** A request's body without what is to be taken out. */
export function redactBytes(bytes: Uint8Array, redaction: Redaction): Uint8Array {
  const text = utf8Text(bytes);
  const before = text ?? binaryText(bytes);
  const after = redactBodyText(before, redaction);
  if (after === before) return bytes;
  return text === undefined ? binaryBytes(after) : new TextEncoder().encode(after);
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

/** Whether there may be something to take out of a request's body. */
export function mayHoldBytes(bytes: Uint8Array, redaction: Redaction): boolean {
  return mayHold(utf8Text(bytes) ?? binaryText(bytes), redaction);
}

/** A quick look: most bodies have nothing that is secret. */
function mayHold(text: string, { rules, placeholders }: Redaction): boolean {
  if (rules.regexes.length > 0 || rules.places.length > 0 || text.includes("@")) return true;
  return findSecrets(text, placeholders.everywhere).length > 0;
}

/** What is to be taken out of a body: by values where it is JSON. */
export function bodyEdits(text: string, redaction: Redaction): readonly Edit[] {
  if (!mayHold(text, redaction)) return [];
  return isJson(text) ? jsonEdits(text, redaction) : textEdits(text, redaction);
}

/** Has what rules find in a body looked for in every place. */
export function learnFromBody(text: string, redaction: Redaction): void {
  if (isJson(text)) learnFromJson(text, redaction);
  else learnFrom(text, redaction);
}

/** Whether a text is valid JSON. */
export function isJson(text: string): boolean {
  if (!/^\s*["[{\d-]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
