import type { CompiledRules } from "../../../core/replay/recording-rules.ts";
import {
  apart,
  findRuleMatches,
  type Found,
  type Span,
} from "../../../core/replay/rule-matches.ts";
import { findUserInfo, mayHaveUserInfo } from "./find-credentials.ts";
import { findSecrets } from "./find-secrets.ts";
import type { NumberedPlaceholders } from "./numbered-placeholders.ts";

/** A piece of a text, and what stands there instead. */
export interface Edit extends Span {
  readonly text: string;
}

/** Whether two places have a character in common. */
export function overlap(left: Span, right: Span): boolean {
  return left.start < right.end && right.start < left.end;
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
  /** Whose parameters those of queries are: a table's are columns. Default: nobody's. */
  readonly of?: "chat" | "rest" | undefined;
  /** What rules found in texts: each is looked at several times, and many are alike. */
  readonly seen: Map<string, readonly Found[]>;
  /** The lines of the stream that was read last. */
  lastRead?: { readonly text: string; readonly lines: readonly EventLine[] };
}

/** What is to be taken out of a text that is no JSON, or of a string of JSON. */
export type TextEdits = (text: string, redaction: Redaction) => readonly Edit[];

/** The same: `found` in it already, what rules find, and the values that are known by now. */
export function textEdits(
  text: string,
  redaction: Redaction,
  found: readonly Found[] = [],
): readonly Edit[] {
  const { placeholders } = redaction;
  const byRules = findsByRules(text, redaction);
  const secrets = findSecrets(text, placeholders.everywhere);
  if (found.length + byRules.length + secrets.length === 0) return [];
  return editsOf([...found, ...byRules, ...secrets], text, placeholders);
}

/** Only what rules find, where it is known that none of the values is there. */
export function ruleEdits(text: string, redaction: Redaction): readonly Edit[] {
  return editsOf(findsByRules(text, redaction), text, redaction.placeholders);
}

/** Whether rules may find something in a body. */
export function hasRulesFor(text: string, { rules }: Redaction): boolean {
  return rules.regexes.length > 0 || rules.inBodies.length > 0 || mayHaveUserInfo(text);
}

/** Values in order get their numbers in order. Placeholders are left as they are. */
function editsOf(
  found: readonly Found[],
  text: string,
  placeholders: NumberedPlaceholders,
): readonly Edit[] {
  if (found.length === 0) return [];
  const taken = placeholders.spansIn(text);
  const free = found.filter((place) => !taken.some((span) => overlap(span, place)));
  return apart(free).map(({ start, end, value, as }) => ({
    start,
    end,
    text: placeholders.of(value, as),
  }));
}

/** Has what rules find in a text looked for in every place. */
export function learnFrom(text: string, redaction: Redaction): void {
  for (const { value, as } of findsByRules(text, redaction)) redaction.placeholders.know(value, as);
}

/** How many texts are kept of which it is known what rules find in them. */
const mostSeen = 20_000;

/** What rules find in a text. */
export function findsByRules(text: string, { rules, seen }: Redaction): readonly Found[] {
  if (rules.regexes.length === 0) return findUserInfo(text);
  const before = seen.get(text);
  if (before !== undefined) return before;
  const found = [...findRuleMatches(text, rules), ...findUserInfo(text)];
  if (seen.size < mostSeen) seen.set(text, found);
  return found;
}

/** A text without what is to be taken out. */
export function redactText(text: string, redaction: Redaction): string {
  return settled(text, (current) => edited(current, textEdits(current, redaction)));
}

/** How often a text is looked at again: a rule may find something only when what stood before it is out. */
const mostRounds = 4;

/** Does something until it changes nothing any more. */
export function settled<Value>(value: Value, change: (value: Value) => Value): Value {
  let current = value;
  for (let round = 0; round < mostRounds; round++) {
    const next = change(current);
    if (next === current) return current;
    current = next;
  }
  return current;
}
