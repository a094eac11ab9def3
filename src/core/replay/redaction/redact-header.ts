import { anyStep, type Place } from "../recording-path.ts";
import type { PlaceRule } from "./compiled-rules.ts";
import { edited } from "./edits.ts";
import { findCredentials } from "./find-credentials.ts";
import { learnFrom, type Redaction, settled, textEdits } from "./redaction.ts";

/** Headers without what is to be taken out. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redaction: Redaction,
): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).map(
    ([name, value]) => [name, redactHeader(name, value, redaction)] as const,
  );
  return Object.fromEntries(shown);
}

// oxlint-disable-next-line max-params -- a header is a name and a value
function redactHeader(name: string, value: string, redaction: Redaction): string {
  const rule = ruleAt(redaction.rules.places, "header", name);
  if (rule !== undefined) return value === "" ? value : redaction.placeholders.of(value, rule.as);
  return settled(value, (current) =>
    edited(current, textEdits(current, redaction, findCredentials(name, current).found)),
  );
}

/** Has the secrets of a header looked for in every place. */
export function learnFromHeader(name: string, value: string, redaction: Redaction): void {
  const { rules, placeholders } = redaction;
  const rule = ruleAt(rules.places, "header", name);
  if (rule !== undefined) placeholders.know(value, rule.as);
  const { found, hidden } = findCredentials(name, value);
  for (const secret of [...found, ...hidden]) placeholders.know(secret.value, secret.as);
}

/** The first rule for a header or a parameter. */
export function ruleAt(
  rules: readonly PlaceRule[],
  head: Place["head"],
  name: string,
): PlaceRule | undefined {
  return rules.find(
    ({ head: own, steps: [step] }) => own === head && (step === anyStep || step === name),
  );
}

/** The same of what rules find in it: of a header that is kept. */
export function learnFromKeptHeader(name: string, value: string, redaction: Redaction): void {
  learnFromHeader(name, value, redaction);
  learnFrom(value, redaction);
}
