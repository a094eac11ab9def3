import { isSecretHeader } from "../../../core/http/secret-names.ts";
import { binaryText, fromBase64 } from "../../../core/http/base64.ts";
import { decodedParameter } from "../../../core/http/url-parts.ts";
import {
  type CompiledRules,
  placeholderPattern,
} from "../../../core/recordings/recording-rules.ts";
import { mergeOverlaps, findRuleMatches, type RuleMatch, type Span } from "./rule-matches.ts";

/** A placeholder in a recorded text. */
export interface PlacedPlaceholder extends Span {
  /** With its number: `[email 1]`. */
  readonly text: string;
  readonly name: string;
  readonly number: number;
}

/** The placeholders in a text: those whose names the rules define, and those of keys, which need no rule. */
export function placeholdersIn(
  text: string,
  { names }: Pick<CompiledRules, "names">,
): readonly PlacedPlaceholder[] {
  if (!text.includes("[")) return [];
  return [...text.matchAll(placeholderPattern)].flatMap(
    ({ index, 0: found, 1: name = "", 2: number }) =>
      names.has(name) || isOfKeys(name)
        ? [
            {
              start: index,
              end: index + found.length,
              text: found,
              name,
              number: Number(number),
            },
          ]
        : [],
  );
}

/** Whether a text is only a placeholder. */
export function isPlaceholder(text: string, rules: CompiledRules): boolean {
  const [first] = placeholdersIn(text, rules);
  return first?.start === 0 && first.end === text.length;
}

function isOfKeys(name: string): boolean {
  return name === "user" || isSecretHeader(name);
}

/** The value that a placeholder has in a sent request. */
interface Assigned {
  readonly name: string;
  readonly value: string;
  /** Whether one of the placeholder's rules finds the value in the request. */
  readonly isFound: boolean;
  /** The place of its first occurrence. */
  readonly at: string;
}

/** The longest value: anything longer is not a secret but a picture or a document. */
const longestValue = 1 << 16;

/** How often a value is tried again with another length, per text. */
const mostRetries = 1_000;

/**
 * Matches the placeholders of a recorded request with a sent one. A placeholder must have the same value everywhere,
 * and placeholders with the same name but different numbers must have different values.
 */
export class PlaceholderValues {
  readonly #rules: CompiledRules;
  readonly #assigned: Map<string, Assigned> = new Map();
  /** Assignments with their previous values, to undo them. */
  readonly #log: { readonly placeholder: string; readonly before: Assigned | undefined }[] = [];

  constructor(rules: CompiledRules) {
    this.#rules = rules;
  }

  /** Whether a sent text is the recorded one, with values in place of placeholders. */
  fits(recorded: string, sent: string, at: string): boolean {
    if (recorded === sent) return true;
    const placeholders = placeholdersIn(recorded, this.#rules);
    const [first] = placeholders;
    if (first === undefined || !sent.startsWith(recorded.slice(0, first.start))) return false;
    const pair = { recorded, sent, at, placeholders, isFound: finderOf(sent, this.#rules) };
    return this.attempt(() => this.#assignAll(pair, first.start));
  }

  /** Runs an attempt and undoes it unless it succeeds. */
  attempt(compare: () => boolean): boolean {
    const mark = this.#log.length;
    const isSame = compare();
    if (!isSame) this.#undo(mark);
    return isSame;
  }

  /** The placeholders of regular expressions that did not find the value at its place. */
  notFound(): readonly (Assigned & { readonly placeholder: string })[] {
    return [...this.#assigned].flatMap(([placeholder, assigned]) =>
      assigned.isFound ? [] : [{ ...assigned, placeholder }],
    );
  }

  /** Each value is taken as short as the recorded text after it allows. */
  #assignAll(pair: TextPair, begin: number): boolean {
    const { placeholders, recorded } = pair;
    const done: (Span & { readonly mark: number })[] = [];
    let start = begin;
    let from = start + 1;
    for (let retries = 0; done.length < placeholders.length;) {
      const placeholder = placeholders[done.length];
      const between = recorded.slice(placeholder?.end, placeholders[done.length + 1]?.start);
      const isLast = done.length === placeholders.length - 1;
      const end = nextEnd(pair.sent, between, { start, from, isLast });
      const mark = this.#log.length;
      if (
        end !== -1 &&
        placeholder !== undefined &&
        this.#assign(pair, placeholder, { start, end })
      ) {
        done.push({ start, end, mark });
        start = end + between.length;
        from = start + 1;
        continue;
      }
      // If that fails, a longer value is tried, for this placeholder or the one before.
      const last = end === -1 ? done.pop() : { start, end, mark };
      retries += 1;
      if (last === undefined || retries === mostRetries) return false;
      this.#undo(last.mark);
      ({ start } = last);
      from = last.end + 1;
    }
    return true;
  }

  #assign(pair: TextPair, { text: placeholder, name }: PlacedPlaceholder, span: Span): boolean {
    // A key may be any text, in a different encoding at each place.
    if (isOfKeys(name)) return true;
    const value = pair.sent.slice(span.start, span.end);
    const isFound = value === placeholder || pair.isFound(name, span);
    const before = this.#assigned.get(placeholder);
    if (before === undefined ? this.#isTaken(name, value) : !isSameValue(before.value, value)) {
      return false;
    }
    this.#log.push({ placeholder, before });
    const { at } = pair;
    const assigned = before ?? { name, value, isFound, at };
    this.#assigned.set(placeholder, { ...assigned, isFound: assigned.isFound || isFound });
    return true;
  }

  /** Whether another placeholder of the name has the value. */
  #isTaken(name: string, value: string): boolean {
    return [...this.#assigned.values()].some(
      (other) => other.name === name && other.value === value,
    );
  }

  #undo(mark: number): void {
    for (const { placeholder, before } of this.#log.splice(mark).toReversed()) {
      if (before === undefined) this.#assigned.delete(placeholder);
      else this.#assigned.set(placeholder, before);
    }
  }
}

/** A recorded text with placeholders, and the sent text. */
interface TextPair {
  readonly recorded: string;
  readonly sent: string;
  readonly at: string;
  readonly placeholders: readonly PlacedPlaceholder[];
  /** Whether the rules find a value in a part of the request. Only placeholders of regular expressions need that. */
  readonly isFound: (name: string, span: Span) => boolean;
}

/** The end of a value that starts at `start`: where `between` follows. -1 if it follows nowhere. */
function nextEnd(
  sent: string,
  between: string,
  {
    start,
    from,
    isLast,
  }: { readonly start: number; readonly from: number; readonly isLast: boolean },
): number {
  if (isLast && !sent.endsWith(between)) return -1;
  const end = isLast ? sent.length - between.length : sent.indexOf(between, from);
  return end < from || end - start > longestValue ? -1 : end;
}

function finderOf(sent: string, rules: CompiledRules): TextPair["isFound"] {
  let byRules: readonly RuleMatch[] | undefined;
  return (name, { start, end }) => {
    if (!rules.foundByRegex.has(name)) return true;
    byRules ??= mergeOverlaps(findRuleMatches(sent, rules));
    const inside = byRules.filter((found) => found.start < end && start < found.end);
    // A key next to it may have made the match longer.
    return inside.length === 1 && (inside[0]?.start === start || inside[0]?.end === end);
  };
}

/** Whether two texts are the same value, one of them possibly in percent encoding, JSON escapes or base64. */
function isSameValue(left: string, right: string): boolean {
  if (left === right) return true;
  const [one, other] = [readingsOf(left), readingsOf(right)];
  return (
    one.some((text) => other.includes(text)) ||
    other.some((value) => isInBase64(left, value)) ||
    one.some((value) => isInBase64(right, value))
  );
}

function readingsOf(text: string): readonly string[] {
  const once = [decodedEscapes(text), decodedParameter(text)];
  return [text, ...once, ...once.flatMap((read) => [decodedEscapes(read), decodedParameter(read)])];
}

function isInBase64(text: string, value: string): boolean {
  if (text.length <= value.length || value === "") return false;
  const plain = text
    .replaceAll(/\s|=+$/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  const bytes = binaryText(new TextEncoder().encode(value));
  // The value may begin at any offset within a group of four base64 characters.
  return ["", "A", "AA", "AAA"].some((before) => {
    const length = Math.ceil((before.length + plain.length) / 4) * 4;
    const decoded = fromBase64((before + plain).padEnd(length, "A"));
    return decoded !== undefined && binaryText(decoded).includes(bytes);
  });
}

function decodedEscapes(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
