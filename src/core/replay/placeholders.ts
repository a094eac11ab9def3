import { isSecretHeader } from "../http/secret-names.ts";
import { binaryText, fromBase64 } from "./base64.ts";
import { decodedParameter } from "./query-pairs.ts";
import { type CompiledRules, placeholderPattern } from "./recording-rules.ts";
import { apart, findRuleMatches, type Found, type Span } from "./rule-matches.ts";

/** A placeholder in a recorded text. */
export interface PlacedPlaceholder extends Span {
  /** With its number: `[email 1]`. */
  readonly text: string;
  readonly name: string;
  readonly number: number;
}

/** The placeholders in a text: those that the rules name, and those of keys, which need no rule. */
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

/** Whether a text is a placeholder and nothing else. */
export function isPlaceholder(text: string, rules: CompiledRules): boolean {
  const [first] = placeholdersIn(text, rules);
  return first?.start === 0 && first.end === text.length;
}

function isOfKeys(name: string): boolean {
  return name === "user" || isSecretHeader(name);
}

/** What a placeholder stands for in a request that is sent. */
interface Assigned {
  readonly name: string;
  readonly value: string;
  /** Whether one of the rules that this placeholder comes from finds the value in the request. */
  readonly isFound: boolean;
  /** Where it stands first. */
  readonly at: string;
}

/** Values are no longer than this: what is, is no secret but a picture or a document. */
const longestValue = 1 << 16;

/** How often a value that did not fit is tried again with another length, in one text. */
const mostRetries = 1_000;

/**
 * Finds the placeholders of a recorded request again in one that is sent. Each stands for the same value wherever it is,
 * and those with one name stand for different values.
 */
export class PlaceholderValues {
  readonly #rules: CompiledRules;
  readonly #assigned: Map<string, Assigned> = new Map();
  /** Values with the name that they have. */
  readonly #taken: Set<string> = new Set();
  /** What was assigned, with what there was before: it may have to be taken back. */
  readonly #log: { readonly placeholder: string; readonly before: Assigned | undefined }[] = [];

  constructor(rules: CompiledRules) {
    this.#rules = rules;
  }

  /** Whether a text that is sent is the recorded one, with values in place of its placeholders. */
  fits(recorded: string, sent: string, at: string): boolean {
    if (recorded === sent) return true;
    const placeholders = placeholdersIn(recorded, this.#rules);
    const [first] = placeholders;
    const lead = recorded.slice(0, first?.start);
    if (first === undefined || !sent.startsWith(lead)) return false;
    const pair = new TextPair({ recorded, sent, at }, placeholders, this.#rules);
    return this.attempt(() => this.#assignAll(pair, lead.length));
  }

  /** Does something, of which nothing is kept unless it gives true. */
  attempt(compare: () => boolean): boolean {
    const mark = this.#log.length;
    const isSame = compare();
    if (!isSame) this.#undo(mark);
    return isSame;
  }

  /** Placeholders of regular expressions that found nothing there: something else stands in their place. */
  notFound(): readonly (Assigned & { readonly placeholder: string })[] {
    return [...this.#assigned].flatMap(([placeholder, assigned]) =>
      assigned.isFound ? [] : [{ ...assigned, placeholder }],
    );
  }

  /** Values are as short as what is recorded between them lets them be. */
  #assignAll(pair: TextPair, begin: number): boolean {
    const done: (Span & { readonly mark: number })[] = [];
    let start = begin;
    let from = start + 1;
    for (let retries = 0; retries < mostRetries;) {
      if (done.length === pair.placeholders.length) return true;
      const end = pair.nextEnd(done.length, start, from);
      const mark = this.#log.length;
      if (end !== -1 && this.#assign(pair, done.length, { start, end })) {
        const before = start;
        start = end + pair.between(done.length).length;
        done.push({ start: before, end, mark });
        from = start + 1;
        continue;
      }
      retries += 1;
      if (end !== -1) {
        from = end + 1;
        continue;
      }
      const last = done.pop();
      if (last === undefined) return false;
      this.#undo(last.mark);
      start = last.start;
      from = last.end + 1;
    }
    return false;
  }

  // oxlint-disable-next-line max-params -- a placeholder of a pair, and where its value would be
  #assign(pair: TextPair, index: number, span: Span): boolean {
    const { text: placeholder = "", name = "" } = pair.placeholders[index] ?? {};
    const value = pair.sent.slice(span.start, span.end);
    const isFound = value === placeholder || pair.isFound(name, span);
    // A key may be any text, and in another encoding in each place.
    if (isOfKeys(name)) return true;
    const before = this.#assigned.get(placeholder);
    if (before === undefined && this.#taken.has(`${name} ${value}`)) return false;
    if (before !== undefined && !isSameValue(before.value, value)) return false;
    const { at } = pair;
    this.#log.push({ placeholder, before });
    this.#assigned.set(
      placeholder,
      before === undefined
        ? { name, value, isFound, at }
        : { ...before, isFound: before.isFound || isFound },
    );
    this.#taken.add(`${name} ${before?.value ?? value}`);
    return true;
  }

  #undo(mark: number): void {
    for (const { placeholder, before } of this.#log.splice(mark).toReversed()) {
      const { name = "", value = "" } = this.#assigned.get(placeholder) ?? {};
      if (before !== undefined) this.#assigned.set(placeholder, before);
      else {
        this.#assigned.delete(placeholder);
        this.#taken.delete(`${name} ${value}`);
      }
    }
  }
}

/** A recorded text with placeholders, and the one that is sent. */
class TextPair {
  readonly recorded: string;
  readonly sent: string;
  readonly at: string;
  readonly placeholders: readonly PlacedPlaceholder[];
  readonly #rules: CompiledRules;
  #byRules: readonly Found[] | undefined;

  // oxlint-disable-next-line max-params -- made in one place
  constructor(
    texts: Readonly<Record<"recorded" | "sent" | "at", string>>,
    placeholders: readonly PlacedPlaceholder[],
    rules: CompiledRules,
  ) {
    ({ recorded: this.recorded, sent: this.sent, at: this.at } = texts);
    this.placeholders = placeholders;
    this.#rules = rules;
  }

  /** What is recorded between a placeholder and the next one. */
  between(index: number): string {
    const { placeholders, recorded } = this;
    return recorded.slice(placeholders[index]?.end, placeholders[index + 1]?.start);
  }

  /** Where a value that begins at `start` can end, from a place on; -1: nowhere. */
  // oxlint-disable-next-line max-params -- places in a text
  nextEnd(index: number, start: number, from: number): number {
    const between = this.between(index);
    const isLast = index === this.placeholders.length - 1;
    if (isLast && !this.sent.endsWith(between)) return -1;
    const end = isLast ? this.sent.length - between.length : this.sent.indexOf(between, from);
    return end < from || end - start > longestValue ? -1 : end;
  }

  /** Whether the rules find one value there, if the placeholder comes from a regular expression. */
  isFound(name: string, { start, end }: Span): boolean {
    if (!this.#rules.foundByRegex.has(name)) return true;
    this.#byRules ??= apart(findRuleMatches(this.sent, this.#rules));
    const inside = this.#byRules.filter((found) => found.start < end && start < found.end);
    // A key that was found beside it may have made the place longer.
    return inside.length === 1 && (inside[0]?.start === start || inside[0]?.end === end);
  }
}

/** Whether two texts are one value, which may have percent signs or JSON's escapes, or stand within base64. */
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
  // The first of its bytes may be in any of the four characters that stand for three.
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
