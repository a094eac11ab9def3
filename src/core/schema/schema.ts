import type { Problem } from "../errors/emulator-error.ts";
import { type JsonPath, showPath } from "./json.ts";
import { didYouMean, nearestName, quoteList, showText, showValue } from "../errors/show.ts";

/** A problem of a value, or of its key. */
export interface Finding {
  readonly path: JsonPath;
  readonly at: "key" | "value";
  /** The position of a character in a text value. */
  readonly character?: number | undefined;
  readonly message: string;
}

/** The problem of a finding in a value that has no file. The path takes the place of a position. */
export function problemAtPath({ path, message }: Finding): Problem {
  return path.length === 0 ? { message } : { message, path: showPath(path) };
}

/** The most problems that are listed. Others are only counted. */
const mostShown = 100;

/** The problems of a document, collected while it is read. */
export class Findings {
  readonly #list: Finding[] = [];
  #more = 0;

  get none(): boolean {
    return this.#list.length === 0;
  }

  get list(): readonly Finding[] {
    return this.#list;
  }

  /** Whether further problems are only counted. */
  get isFull(): boolean {
    return this.#list.length >= mostShown;
  }

  /** The number of problems beyond those in the list. */
  get more(): number {
    return this.#more;
  }

  /** Counts problems that are not in the list. */
  countMore(count: number): void {
    this.#more += count;
  }

  report(path: JsonPath, message: string, options: Partial<Finding> = {}): void {
    if (!this.isFull) this.#list.push({ at: "value", ...options, path, message });
    else this.#more++;
  }
}

/**
 * A schema for one kind of value. It checks values, and describes them as JSON Schema for editors. No library does
 * this, because valibot, the smallest that was tried, took 11 ms at each start, a quarter of the time that a start
 * may take, and its objects, records and unions would have needed replacements for helpful messages.
 */
export interface Schema<Value> {
  /** Reports the problems of a value that came from JSON or was copied as JSON. */
  readonly check: (value: unknown, run: SchemaRun) => void;
  readonly json: (refer: Refer) => JsonSchema;
  /** Never present. It carries the type of valid values. */
  readonly fits?: Value;
}

/** The type of the values that fit a schema. */
export type ValueOf<S> = S extends Schema<infer Value> ? Value : never;

/** The bounds of a number. */
export interface Bounds {
  /** A whole number, and small enough to be exact. */
  readonly whole?: boolean;
  /** A whole number of any size. */
  readonly integer?: boolean;
  readonly least?: number;
  readonly most?: number;
  /** The number must be greater than this. */
  readonly above?: number;
}

/** A problem as data, which each interface puts into its own words. */
export type Issue =
  /**
   * The key is missing, or the value itself if there is no key. `unknown` has keys that may be misspellings of `key`.
   */
  | { readonly kind: "missing"; readonly key?: string; readonly unknown?: readonly string[] }
  | {
      readonly kind: "unknown";
      readonly keys: readonly string[];
      readonly valid: readonly string[];
    }
  /** The value is not one of a few texts. */
  | { readonly kind: "choice"; readonly options: readonly string[]; readonly value: unknown }
  /** The value is not a number, or out of bounds. */
  | { readonly kind: "number"; readonly bounds: Bounds; readonly value: unknown }
  /** A text does not have the form that `expected` names. */
  | {
      readonly kind: "form";
      readonly expected: string;
      readonly value: string;
      /** The form as a regular expression. */
      readonly pattern: string;
    }
  /** A text, an array, an object or a key is longer than `most`. */
  | {
      readonly kind: "long";
      readonly of: "characters" | "items" | "properties";
      readonly length: number;
      readonly most: number;
    };

/** What a schema reports to while it checks a value. */
export interface SchemaRun {
  /** Reports a problem of the value, as data. */
  readonly report: (issue: Issue) => void;
  /** Reports a problem of the value, or of a key in it, as a complete message. */
  readonly refuse: (message: string, key?: string) => void;
  /** Reports that the value must be `what` ("a text", "an object"). Leave the value out if it is secret. */
  readonly mustBe: (what: string, value?: unknown) => void;
  /** Reports that the value must not be empty. */
  readonly mustNotBeEmpty: () => void;
  /** Checks a part of the value. */
  readonly checkPart: (schema: Schema<unknown>, part: unknown, key: JsonPath[number]) => void;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Gives a part's JSON Schema, or a reference if it is defined elsewhere. */
export type Refer = (schema: Schema<unknown>) => JsonSchema;

/** Checks a value at `path` of its document. If it is invalid, adds findings and returns undefined. */
export function check<Value>(
  schema: Schema<Value>,
  value: unknown,
  { path, findings }: { readonly path: JsonPath; readonly findings: Findings },
): Value | undefined {
  const run = new Run(path, findings);
  schema.check(value, run);
  return run.refused ? undefined : (value as Value);
}

/** Whether a value fits a schema. */
export function isValid(schema: Schema<unknown>, value: unknown): boolean {
  const findings = new Findings();
  schema.check(value, new Run([], findings));
  return findings.none;
}

/** A schema with an additional rule for values that fit otherwise. */
export function withRule<Value>(
  schema: Schema<Value>,
  rule: (value: Value, run: SchemaRun) => void,
): Schema<Value> {
  return {
    check: (value, run) => {
      schema.check(value, run);
      if (isValid(schema, value)) rule(value as Value, run);
    },
    json: schema.json,
  };
}

/** The most unknown keys that are compared with a missing one. */
const mostCompared = 100;

/** The check of one value. It knows the path of the current part. */
class Run implements SchemaRun {
  readonly #path: (string | number)[];
  readonly #findings: Findings;
  refused = false;

  constructor(path: JsonPath, findings: Findings) {
    this.#path = [...path];
    this.#findings = findings;
  }

  refuse(message: string, key?: string): void {
    this.refused = true;
    const path = key === undefined ? [...this.#path] : [...this.#path, key];
    this.#findings.report(path, message, { at: key === undefined ? "value" : "key" });
  }

  report(issue: Issue): void {
    switch (issue.kind) {
      case "missing":
        return this.#missing(issue.key, issue.unknown);
      case "unknown":
        for (const key of issue.keys) {
          // Finding the nearest name takes 20 µs, so it is not done for thousands of keys.
          this.refuse(this.#findings.isFull ? "" : unknownKey(key, issue.valid), key);
        }
        return;
      case "choice": {
        const { options, value } = issue;
        const nearest = typeof value === "string" ? didYouMean(value, options) : "";
        const expected = `Expected ${quoteList(options)}, but found ${showValue(value)}.`;
        return this.refuse(expected + nearest);
      }
      case "number":
        return this.mustBe(describeNumber(issue.value, issue.bounds), issue.value);
      case "form":
        return this.refuse(
          `${nameOf(this.#path)} must be ${issue.expected}, but is ${showValue(issue.value)}.`,
        );
      case "long": {
        const { of, length, most } = issue;
        return this.refuse(`${nameOf(this.#path)} has ${length} ${of}, but can have ${most}.`);
      }
    }
  }

  #missing(key: string | undefined, unknown: readonly string[] = []): void {
    if (key === undefined) return this.refuse(`${nameOf(this.#path)} is missing.`);
    // A misspelt required key is both missing and unknown, but reported only once.
    if (unknown.slice(0, mostCompared).some((other) => nearestName(other, [key]))) return;
    this.refuse(`The key ${showText(key)} is missing.`);
  }

  mustBe(what: string, value?: unknown): void {
    const found = value === undefined ? "" : `, but is ${showValue(value)}`;
    this.refuse(`${nameOf(this.#path)} must be ${what}${found}.`);
  }

  mustNotBeEmpty(): void {
    this.refuse(`${nameOf(this.#path)} must not be empty.`);
  }

  checkPart(schema: Schema<unknown>, part: unknown, key: JsonPath[number]): void {
    this.#path.push(key);
    schema.check(part, this);
    this.#path.pop();
  }
}

/** The advice about an unknown key: the nearest name, or all names. */
export function unknownKey(key: string, valid: readonly string[]): string {
  const nearest = didYouMean(key, valid);
  const advice = nearest === "" ? ` Keys here: ${quoteList(valid, "and")}.` : nearest;
  return `Unknown key ${showText(key)}.${advice}`;
}

/** Only one problem per number is described: 0.5 need not be called too small as well. */
function describeNumber(value: unknown, bounds: Bounds): string {
  const { whole = false, integer = whole, least = -Infinity, most = Infinity, above } = bounds;
  if (typeof value !== "number") return "a number";
  if (integer && !(whole ? Number.isSafeInteger(value) : Number.isInteger(value))) {
    return "a whole number";
  }
  if (value < least) return `${least} or more`;
  return value > most || above === undefined ? `${most} or less` : `more than ${above}`;
}

/** A value's name: its key, with the indexes after it. */
function nameOf(path: JsonPath): string {
  const last = path.findLastIndex((step) => typeof step === "string");
  if (last === -1) return path.length === 0 ? "The value" : `Item ${showPath(path)}`;
  const indices = path.slice(last + 1);
  return showText(`${String(path[last])}${showPath(indices)}`);
}
