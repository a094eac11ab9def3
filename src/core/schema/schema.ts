import { showText, showValue } from "../errors/show.ts";
import { Findings } from "./findings.ts";
import { type JsonPath, showPath } from "./json.ts";

/**
 * One kind of value: how it is checked, and the same as JSON Schema for editors.
 *
 * Why not a library: valibot, the smallest that was tried, took 11 ms of each start, a quarter of all that a start may
 * take, and its objects, records and unions had to be replaced for messages that help.
 */
export interface Schema<Value> {
  /** Reports what is wrong with a value, which came from JSON or was copied as JSON. */
  readonly check: (value: unknown, run: SchemaRun) => void;
  readonly json: (refer: Refer) => JsonSchema;
  /** Never there. It carries the type of the values that fit. */
  readonly fits?: Value;
}

/** The type of the values that fit a schema. */
export type ValueOf<S> = S extends Schema<infer Value> ? Value : never;

/** What a schema reports to while it checks a value. */
export interface SchemaRun {
  /** Reports a problem with the value, or with a key of it. The message is complete. */
  readonly refuse: (message: string, key?: string) => void;
  /** Reports that the value must be `what` ("a text", "an object"). Leave the value out where it may not be shown. */
  readonly mustBe: (what: string, value?: unknown) => void;
  /** Reports that the value must not be empty. */
  readonly mustNotBeEmpty: () => void;
  /** Checks a part of the value. */
  readonly checkPart: (schema: Schema<unknown>, part: unknown, key: JsonPath[number]) => void;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Gives a part's JSON Schema, or a reference to it where it stands elsewhere. */
export type Refer = (schema: Schema<unknown>) => JsonSchema;

/** Checks a value that is at `path` of its document. Undefined when something is wrong with it; that is reported. */
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

/** One check of one value, which knows the place of the part that is looked at. */
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

/** A value's name: its key, with the indices after it. */
function nameOf(path: JsonPath): string {
  const last = path.findLastIndex((step) => typeof step === "string");
  if (last === -1) return path.length === 0 ? "The value" : `Item ${showPath(path)}`;
  const indices = path.slice(last + 1);
  return showText(`${String(path[last])}${showPath(indices)}`);
}
