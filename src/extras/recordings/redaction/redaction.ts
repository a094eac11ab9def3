import type { InterfaceName } from "../../../core/interface.ts";
import type { CompiledRules } from "../../../core/recordings/recording-rules.ts";
import {
  mergeOverlaps,
  findRuleMatches,
  type RuleMatch,
  type Span,
} from "../replay/rule-matches.ts";
import { findUserInfo, mayHaveUserInfo } from "./find-credentials.ts";
import { findSecrets } from "./find-secrets.ts";
import { findLikelySecrets } from "./secret-shapes.ts";
import type { NumberedPlaceholders } from "./numbered-placeholders.ts";

/** A part of a text, and its replacement. */
export interface Edit extends Span {
  readonly text: string;
}

/** Applies edits, which must be in order and must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  let result = "";
  let end = 0;
  for (const edit of edits) {
    result += text.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return result + text.slice(end);
}

/**
 * Splits edits of a whole text into edits of its pieces. The replacement goes into the piece where the edit begins; in
 * later pieces the rest is deleted.
 */
export function editsByPiece(
  pieces: readonly string[],
  edits: readonly Edit[],
): readonly (readonly Edit[])[] {
  let end = 0;
  let next = 0;
  return pieces.map((piece) => {
    const start = end;
    end += piece.length;
    const own: Edit[] = [];
    for (let index = next; index < edits.length; index++) {
      const edit = edits[index];
      if (edit === undefined || edit.start >= end) break;
      if (edit.end <= end) next = index + 1;
      own.push({
        start: Math.max(edit.start - start, 0),
        end: Math.min(edit.end, end) - start,
        text: edit.start >= start ? edit.text : "",
      });
    }
    return own;
  });
}

/** A line of a stream that is not empty: the data of an event, or the whole line. */
export interface EventLine extends Span {
  readonly isJson: boolean;
  /** The strings that are pieces of longer texts, such as the `content` of a `delta`. */
  readonly pieces: readonly TextPiece[];
}

/** A JSON string, with the name of the text that it is a piece of. */
export interface TextPiece extends Span {
  readonly of: string;
}

/** What is needed to redact the texts of an exchange. */
export interface Redaction {
  readonly rules: CompiledRules;
  readonly placeholders: NumberedPlaceholders;
  /** The interface of the exchange. It decides what parameters mean: those of tables are columns. */
  readonly of: InterfaceName;
  /** The values that are redacted wherever they occur. */
  readonly secrets: NumberedPlaceholders["everywhere"];
  /**
   * Whether secrets are only learned, not redacted yet: those that rules find in their places are later redacted
   * wherever they occur.
   */
  readonly isLearning: boolean;
  /** The lines of the stream that was read last. */
  readonly latest: { readonly text: string; readonly lines: readonly EventLine[] };
}

/**
 * The edits that redact a text that is not JSON, or a string of JSON. `found` has secrets that are already known to be
 * in it.
 */
export function textEdits(
  text: string,
  redaction: Redaction,
  found: readonly RuleMatch[] = [],
): readonly Edit[] {
  const { rules, placeholders, secrets, isLearning } = redaction;
  const own = [...found, ...findRuleMatches(text, rules), ...findUserInfo(text)];
  if (!isLearning) return editsOf([...own, ...findSecrets(text, secrets)], text, placeholders);
  placeholders.reserve(text);
  for (const { value, as } of own) placeholders.know(value, as);
  return [];
}

/** Reserves the placeholders in a text, and learns the values that look like secrets. */
export function learnFrom(text: string, { rules, placeholders }: Redaction): void {
  placeholders.reserve(text);
  if (rules.likely.mode === "ignore") return;
  for (const secret of findLikelySecrets(text)) placeholders.suspect(secret);
}

/** The placeholder for a value that is redacted as a whole. While secrets are being learned, the value itself. */
export function placeholderFor(value: string, as: string, redaction: Redaction): string {
  const { placeholders, isLearning } = redaction;
  if (!isLearning) return placeholders.of(value, as);
  placeholders.reserve(value);
  placeholders.know(value, as);
  return value;
}

/** Whether the rules may find something in a body. */
export function hasRulesFor(text: string, { rules }: Redaction): boolean {
  return rules.regexes.length > 0 || rules.inBodies.length > 0 || mayHaveUserInfo(text);
}

/**
 * How to redact the parts of a text. If the whole text contains no known secrets, as most do not, its parts are not
 * searched for them. Undefined: the rules find nothing either.
 */
export function secretsToFind(text: string, redaction: Redaction): Redaction | undefined {
  if (findSecrets(text, redaction.secrets).length > 0) return redaction;
  return hasRulesFor(text, redaction) ? { ...redaction, secrets: new Map() } : undefined;
}

/** Turns matches into edits. Values are numbered in order, and existing placeholders stay as they are. */
function editsOf(
  found: readonly RuleMatch[],
  text: string,
  placeholders: NumberedPlaceholders,
): readonly Edit[] {
  if (found.length === 0) return [];
  const taken = placeholders.spansIn(text);
  const free = found.filter(
    (place) => !taken.some(({ start, end }) => start < place.end && place.start < end),
  );
  return mergeOverlaps(free).map(({ start, end, value, as }) => ({
    start,
    end,
    text: placeholders.of(value, as),
  }));
}

/** Redacts a text. */
export function redactText(text: string, redaction: Redaction): string {
  return untilUnchanged(text, (current) => applyEdits(current, textEdits(current, redaction)));
}

/** How often a text is searched again, since a rule may only match after an earlier value was redacted. */
const mostRounds = 4;

/** Applies a change until it has no effect any more. */
export function untilUnchanged<Value>(value: Value, change: (value: Value) => Value): Value {
  let current = value;
  for (let round = 0; round < mostRounds; round++) {
    const next = change(current);
    if (next === current) return current;
    current = next;
  }
  return current;
}
