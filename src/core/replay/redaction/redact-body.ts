import { binaryBytes, binaryText, toBase64 } from "../base64.ts";
import type { RecordedBody } from "../cassette.ts";
import { bodyBytes, bodyText, recordText, utf8Text } from "../recorded-body.ts";
import { type Edit, edited } from "./edits.ts";
import { findSecrets } from "./find-secrets.ts";
import { jsonEdits, learnFromJson } from "./json-edits.ts";
import {
  hasRulesFor,
  learnFrom,
  type Redaction,
  ruleEdits,
  settled,
  textEdits,
} from "./redaction.ts";
import { isJson } from "../valid-json.ts";

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

/** Whether there may be something to take out of a request's body: most have nothing that is secret. */
export function mayHoldBytes(bytes: Uint8Array, redaction: Redaction): boolean {
  const text = utf8Text(bytes) ?? binaryText(bytes);
  return hasRulesFor(text, redaction) || hasSecrets(text, redaction);
}

function hasSecrets(text: string, { placeholders }: Redaction): boolean {
  return findSecrets(text, placeholders.everywhere).length > 0;
}

/** What is to be taken out of a body: by values where it is JSON. */
export function bodyEdits(text: string, redaction: Redaction): readonly Edit[] {
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
