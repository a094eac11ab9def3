import { isPlaceholder, type PlacedPlaceholder, placeholdersIn } from "../replay/placeholders.ts";
import {
  type CompiledRules,
  placeholderNamePattern,
} from "../../../core/recordings/recording-rules.ts";
import { isSecretHeader } from "../../../core/http/secret-names.ts";
import { needlesOf, type Secret, shortestEverywhere } from "./find-secrets.ts";

/** A value that looks like a secret, and what its placeholders are called: a name that means one. */
export interface LikelySecret {
  readonly value: string;
  readonly as: string;
}

/** How many values of one exchange are looked for in every place. What more there is goes from where a rule finds it. */
const mostEverywhere = 500;

/** Words of the interfaces themselves. A text without them would not be read by any client. */
const commonWords: ReadonlySet<string> = new Set(
  (
    "accept application arguments array assistant boolean choices completion content created default delete deleted " +
    "details developer error finish_reason function functions header headers integer message messages number object " +
    "parameters password postgres prompt properties public request required response result results secret select " +
    "stream string system tool_calls undefined update updated username values"
  ).split(" "),
);

/** What stands instead of each value of one exchange. */
export class NumberedPlaceholders {
  readonly #rules: CompiledRules;
  readonly #byValue: Map<string, string> = new Map();
  readonly #counts: Map<string, number> = new Map();
  readonly #everywhere: Map<string, Secret> = new Map();
  readonly #likely: Map<string, string> = new Map();

  constructor(rules: CompiledRules) {
    this.#rules = rules;
  }

  /** The values that are looked for in every place. */
  get everywhere(): ReadonlyMap<string, Secret> {
    return this.#everywhere;
  }

  /** The values that only their looks show to be secret, with their kinds. */
  get likely(): ReadonlyMap<string, string> {
    return this.#likely;
  }

  /** Keeps the numbers of the placeholders in a text from being given to other values. */
  reserve(text: string): void {
    for (const { name, number } of this.spansIn(text)) {
      this.#counts.set(name, Math.max(this.#counts.get(name) ?? 0, number));
    }
  }

  /** Looks for a value in every place from now on, unless it is as short as a part of a word. */
  know(value: string, as: string): void {
    if (this.#everywhere.size >= mostEverywhere || !this.#canBeKnown(value)) return;
    this.#everywhere.set(value, { as, needles: needlesOf(value) });
  }

  #canBeKnown(value: string): boolean {
    if (value.length < shortestEverywhere || this.#everywhere.has(value)) return false;
    return !commonWords.has(value.toLowerCase()) && this.spansIn(value).length === 0;
  }

  /** Does what the rules say with a value that looks like a secret. */
  suspect({ value, as }: LikelySecret): void {
    const { mode, allowedValues } = this.#rules.likely;
    if (allowedValues.has(value) || this.#likely.has(value) || !this.#canBeKnown(value)) return;
    this.#likely.set(value, as);
    if (mode === "redact") this.know(value, as);
  }

  /** What stands in place of a value: the same placeholder each time. A placeholder stands for itself. */
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

  /** Where placeholders stand in a text. No secret is looked for within them. */
  spansIn(text: string): readonly PlacedPlaceholder[] {
    return placeholdersIn(text, this.#rules);
  }
}

/** A name for placeholders from that of a header or a parameter. */
export function placeholderName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^\w.-]+/g, "-")
    .slice(0, 40);
  return placeholderNamePattern.test(plain) && isSecretHeader(plain) ? plain : "key";
}
