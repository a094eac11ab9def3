import type { InterfaceName } from "../../../core/interface.ts";
import type { CompiledRules } from "../../../core/recordings/recording-rules.ts";
import { apart, findRuleMatches, type RuleMatch, type Span } from "../replay/rule-matches.ts";
import { findUserInfo, mayHaveUserInfo } from "./find-credentials.ts";
import { findSecrets } from "./find-secrets.ts";
import { findLikelySecrets } from "./secret-shapes.ts";
import type { NumberedPlaceholders } from "./numbered-placeholders.ts";

/** A piece of a text, and what stands there instead. */
export interface Edit extends Span {
  readonly text: string;
}

/** A text with its edits, which are in order and do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
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
 * Edits of a text that is in pieces, as edits of each piece: what stands instead goes where it begins, the rest of the place
 * is taken out.
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

/** A line of an event stream that is not empty: the data of an event, or all of it. */
export interface EventLine extends Span {
  readonly isJson: boolean;
  /** Its strings that are pieces of a longer text, such as the `content` of a `delta`. */
  readonly pieces: readonly TextPiece[];
}

/** A string of JSON, with the name of the text that it is a piece of. */
export interface TextPiece extends Span {
  readonly of: string;
}

/** What the texts of one exchange are redacted by. */
export interface Redaction {
  readonly rules: CompiledRules;
  readonly placeholders: NumberedPlaceholders;
  /** Whose parameters those of queries are: a table's are columns. */
  readonly of: InterfaceName;
  /** The values that are looked for in every place. */
  readonly secrets: NumberedPlaceholders["everywhere"];
  /** Whether nothing is taken out yet: what is secret in its own place is learned, to be looked for in every place. */
  readonly isLearning: boolean;
  /** The lines of the stream that was read last. */
  readonly latest: { readonly text: string; readonly lines: readonly EventLine[] };
}

/** What is to be taken out of a text that is not JSON, or of a string of JSON: what is `found` in it already, and the rest. */
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

/** Keeps the numbers of the placeholders in a text, and learns the values in it that look like secrets. */
export function learnFrom(text: string, { rules, placeholders }: Redaction): void {
  placeholders.reserve(text);
  if (rules.likely.mode === "ignore") return;
  for (const secret of findLikelySecrets(text)) placeholders.suspect(secret);
}

/** What stands in place of a value that is taken out as a whole. */
export function placeholderFor(value: string, as: string, redaction: Redaction): string {
  const { placeholders, isLearning } = redaction;
  if (!isLearning) return placeholders.of(value, as);
  placeholders.reserve(value);
  placeholders.know(value, as);
  return value;
}

/** Whether rules may find something in a body. */
export function hasRulesFor(text: string, { rules }: Redaction): boolean {
  return rules.regexes.length > 0 || rules.inBodies.length > 0 || mayHaveUserInfo(text);
}

/**
 * What the parts of a text are to be looked through for: most texts have nothing that is secret, which one search tells.
 * Undefined: nothing.
 */
export function secretsToFind(text: string, redaction: Redaction): Redaction | undefined {
  if (findSecrets(text, redaction.secrets).length > 0) return redaction;
  return hasRulesFor(text, redaction) ? { ...redaction, secrets: new Map() } : undefined;
}

/** Values in order get their numbers in order. Placeholders are left as they are. */
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
  return apart(free).map(({ start, end, value, as }) => ({
    start,
    end,
    text: placeholders.of(value, as),
  }));
}

/** A text without what is to be taken out. */
export function redactText(text: string, redaction: Redaction): string {
  return untilUnchanged(text, (current) => edited(current, textEdits(current, redaction)));
}

/** How often a text is looked at again: a rule may find something only when what stood before it is out. */
const mostRounds = 4;

/** Does something until it changes nothing any more. */
export function untilUnchanged<Value>(value: Value, change: (value: Value) => Value): Value {
  let current = value;
  for (let round = 0; round < mostRounds; round++) {
    const next = change(current);
    if (next === current) return current;
    current = next;
  }
  return current;
}
