import type { JsonPath } from "../../schema/json.ts";
import type { Bounds, Issue, Schema, SchemaRun } from "../../schema/schema.ts";
import { type ChatError, chatErrors } from "../errors.ts";

/** The stages of a check, in order, each over the whole request. */
const stages = ["missing", "unknown", "type", "value"] as const;

type Stage = (typeof stages)[number];

/** A problem, and how to make its error once it proves to be the first. */
interface Problem {
  readonly stage: number;
  readonly path: JsonPath;
  readonly error: (path: string) => ChatError;
}

/** The first problem of a request's body, or nothing. `missing` makes the error for a missing argument. */
export function checkBody(
  schema: Schema<unknown>,
  body: unknown,
  missing: (path: string) => ChatError,
): ChatError | undefined {
  const run = new BodyRun(missing);
  schema.check(body, run);
  const { first } = run;
  return first?.error(showParam(first.path));
}

/** One check of a body. It keeps the problem of the earliest stage. */
class BodyRun implements SchemaRun {
  first: Problem | undefined;
  readonly #missing: Problem["error"];
  readonly #path: (string | number)[] = [];

  constructor(missing: Problem["error"]) {
    this.#missing = missing;
  }

  report(issue: Issue): void {
    switch (issue.kind) {
      case "missing":
        return this.#note("missing", this.#missing, issue.key);
      case "unknown":
        return this.#noteUnknown(issue.keys, issue.valid);
      case "choice": {
        const { options, value } = issue;
        if (typeof value !== "string") return this.mustBe("a text", value);
        return this.#note("value", (path) => chatErrors.wrongValue(path, value, options));
      }
      case "number":
        return this.#noteNumber(issue.value, issue.bounds);
      case "form": {
        const { value, expected } = issue;
        return this.#note("value", (path) => chatErrors.wrongForm(path, value, expected));
      }
      case "long":
        return this.#note("value", (path) => chatErrors.tooLong(path, issue));
    }
  }

  /** Schemas of requests have no messages of their own. */
  refuse(message: string, key?: string): void {
    this.#note("type", (path) => chatErrors.wrongType(path, message, undefined), key);
  }

  mustBe(what: string, value?: unknown): void {
    const expected = what === "a text" ? "a string" : what;
    this.#note("type", (path) => chatErrors.wrongType(path, expected, value));
  }

  mustNotBeEmpty(): void {
    this.#note("value", chatErrors.emptyArray);
  }

  checkPart(schema: Schema<unknown>, part: unknown, key: string | number): void {
    this.#path.push(key);
    schema.check(part, this);
    this.#path.pop();
  }

  #noteNumber(value: unknown, bounds: Bounds): void {
    const { integer = false } = bounds;
    if (typeof value !== "number" || (integer && !Number.isInteger(value))) {
      return this.mustBe(integer ? "a whole number" : "a number", value);
    }
    this.#note("value", (path) => chatErrors.outOfRange(path, value, bounds));
  }

  /** The service names neither code nor param for an unknown argument, but both for a key within one. */
  #noteUnknown(keys: readonly string[], valid: readonly string[]): void {
    const [key = ""] = keys;
    const isArgument = this.#path.length === 0;
    const error: Problem["error"] = isArgument
      ? () => chatErrors.unknownArguments(keys, valid)
      : (path) => chatErrors.unknownParameter(path, key, valid);
    // An object's own keys win over those within it, although the latter are checked first.
    const isWithin = this.#path.every((step, index) => this.first?.path[index] === step);
    if (isWithin && this.first?.stage === stages.indexOf("unknown")) this.first = undefined;
    this.#note("unknown", error, key);
  }

  #note(stage: Stage, error: Problem["error"], key?: string): void {
    const order = stages.indexOf(stage);
    if (this.first !== undefined && this.first.stage <= order) return;
    const path = key === undefined ? [...this.#path] : [...this.#path, key];
    this.first = { stage: order, path, error };
  }
}

/** A path as the service writes it, without quotes: `messages[0].content`. */
function showParam(path: JsonPath): string {
  return path.reduceRight<string>((rest, step) => {
    const shown = typeof step === "number" ? `[${step}]` : step;
    return rest === "" || rest.startsWith("[") ? shown + rest : `${shown}.${rest}`;
  }, "");
}
