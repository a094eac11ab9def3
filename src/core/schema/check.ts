import { showText, showValue } from "../store/json-value.ts";
import { type JsonPath, showPath } from "../fixture-set/json/json-path.ts";
import { Findings } from "../fixture-set/problems.ts";
import type { Schema, SchemaRun } from "./schema.ts";

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
