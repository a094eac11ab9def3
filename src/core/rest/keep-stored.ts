import type { GivenRow } from "../store/row-draft.ts";
import { BlobValue, ExactInteger, type Row, type Value, WholeReal } from "../store/value.ts";

/**
 * What was sent, with the stored value wherever that is shown as just what was sent. So a row that is read and sent
 * back loses nothing of what JSON cannot say: bytes, integers beyond doubles, 5.0 beside 5, infinite numbers.
 */
export function keepStored(stored: Row, sent: GivenRow): GivenRow {
  const kept = Object.entries(stored).filter(
    ([name, value]) => Object.hasOwn(sent, name) && isShownAs(value, sent[name]),
  );
  // Not by assignment, which would lose a column named `__proto__`.
  return kept.length === 0 ? sent : Object.fromEntries([...Object.entries(sent), ...kept]);
}

/** The changes among what was sent: without what is shown just so already. */
export function withoutShown(stored: Row, sent: GivenRow): GivenRow {
  const isShown = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(stored, name) && isShownAs(stored[name] ?? null, value);
  const entries = Object.entries(sent);
  return entries.some(isShown)
    ? Object.fromEntries(entries.filter((entry) => !isShown(entry)))
    : sent;
}

/** Whether GET shows a value as this. Documents are not looked at: JSON says all of them. */
function isShownAs(value: Value, sent: unknown): boolean {
  if (value === sent) return true;
  if (value instanceof ExactInteger || value instanceof WholeReal) return value.toJSON() === sent;
  if (value instanceof BlobValue) return isEmptyObject(sent);
  return typeof value === "number" && !Number.isFinite(value) && sent === null;
}

function isEmptyObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length === 0;
}
