import { isPlaceholder, type PlacedPlaceholder, placeholdersIn } from "../replay/placeholders.ts";
import {
  type CompiledRules,
  placeholderNamePattern,
} from "../../../core/recordings/recording-rules.ts";
import { isSecretHeader } from "../../../core/http/secret-names.ts";
import { needlesOf, type Secret, shortestEverywhere } from "./find-secrets.ts";

/** A value that looks like a secret, and the name for its placeholders. */
export interface LikelySecret {
  readonly value: string;
  readonly as: string;
}

/**
 * The most values of one exchange that are redacted wherever they occur. Further ones are only redacted where a rule
 * finds them.
 */
const mostEverywhere = 500;

/** Words of the protocols, which are never redacted: no client could read a text without them. */
const commonWords: ReadonlySet<string> = new Set(
  (
    "accept application arguments array assistant boolean choices completion content created default delete deleted " +
    "details developer error finish_reason function functions header headers integer message messages number object " +
    "parameters password postgres prompt properties public request required response result results secret select " +
    "stream string system tool_calls undefined update updated username values"
  ).split(" "),
);

/** The placeholders of one exchange: each distinct value gets one with a number. */
export class NumberedPlaceholders {
  readonly #rules: CompiledRules;
  readonly #byValue: Map<string, string> = new Map();
  readonly #counts: Map<string, number> = new Map();
  readonly #everywhere: Map<string, Secret> = new Map();
  readonly #likely: Map<string, string> = new Map();

  constructor(rules: CompiledRules) {
    this.#rules = rules;
  }

  /** The values that are redacted wherever they occur. */
  get everywhere(): ReadonlyMap<string, Secret> {
    return this.#everywhere;
  }

  /** The values that only look like secrets, with their kinds. */
  get likely(): ReadonlyMap<string, string> {
    return this.#likely;
  }

  /** Reserves the placeholders that already occur in a text, so that no other values get them. */
  reserve(text: string): void {
    for (const { name, number } of this.spansIn(text)) {
      this.#counts.set(name, Math.max(this.#counts.get(name) ?? 0, number));
    }
  }

  /** Redacts a value wherever it occurs from now on, unless it is so short that it may be part of a word. */
  know(value: string, as: string): void {
    if (this.#everywhere.size >= mostEverywhere || !this.#canBeKnown(value)) return;
    this.#everywhere.set(value, { as, needles: needlesOf(value) });
  }

  #canBeKnown(value: string): boolean {
    if (value.length < shortestEverywhere || this.#everywhere.has(value)) return false;
    return !commonWords.has(value.toLowerCase()) && this.spansIn(value).length === 0;
  }

  /** Treats a value that looks like a secret as the rules demand. */
  suspect({ value, as }: LikelySecret): void {
    const { mode, allowedValues } = this.#rules.likely;
    if (allowedValues.has(value) || this.#likely.has(value) || !this.#canBeKnown(value)) return;
    this.#likely.set(value, as);
    if (mode === "redact") this.know(value, as);
  }

  /** The placeholder of a value, always the same one. A placeholder stays as it is. */
  of(value: string, name: string): string {
    const known = this.#byValue.get(value);
    if (known !== undefined) return known;
    if (isPlaceholder(value, this.#rules)) return value;
    const called = this.#everywhere.get(value)?.as ?? name;
    const number = (this.#counts.get(called) ?? 0) + 1;
    const made = `[${called} ${number}]`;
    this.#counts.set(called, number);
    this.#byValue.set(value, made);
    return made;
  }

  /** The placeholders in a text. Nothing within them is redacted. */
  spansIn(text: string): readonly PlacedPlaceholder[] {
    return placeholdersIn(text, this.#rules);
  }
}

/** A name for placeholders, made from the name of a header or a parameter. */
export function placeholderName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^\w.-]+/g, "-")
    .slice(0, 40);
  return placeholderNamePattern.test(plain) && isSecretHeader(plain) ? plain : "key";
}
