import type { CompiledRules } from "./compiled-rules.ts";
import { apart, type Edit, edited, overlap } from "./edits.ts";
import { findMatches, type Found } from "./find-matches.ts";
import { findSecrets } from "./find-secrets.ts";
import { findUserInfo, mayHaveUserInfo } from "./find-user-info.ts";
import type { Line } from "./line-shape.ts";
import type { Placeholders } from "./placeholders.ts";

/** What the texts of one exchange are redacted by. */
export interface Redaction {
  readonly rules: CompiledRules;
  readonly placeholders: Placeholders;
  /** Whose parameters those of queries are: a table's are columns. Default: nobody's. */
  readonly of?: "chat" | "rest" | undefined;
  /** What rules found in texts: each is looked at several times, and many are alike. */
  readonly seen: Map<string, readonly Found[]>;
  /** The lines of the stream that was looked at last. */
  lastRead?: { readonly text: string; readonly lines: readonly Line[] };
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
  placeholders: Placeholders,
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
  const found = findByRules(text, rules);
  if (seen.size < mostSeen) seen.set(text, found);
  return found;
}

function findByRules(text: string, rules: CompiledRules): readonly Found[] {
  const found = findUserInfo(text);
  const matches = rules.regexes.flatMap(({ regex, as }) =>
    findMatches(text, regex).map(({ start, end }) => ({
      start,
      end,
      as,
      value: text.slice(start, end),
    })),
  );
  return [...matches, ...found];
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
