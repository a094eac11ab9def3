import { type ChatError, chatErrors } from "../errors.ts";
import type { JsonPath } from "../../schema/json.ts";
import type { Bounds, Issue, Schema, SchemaRun } from "../../schema/schema.ts";

/** The kinds of problems. */
export type ProblemKind = "missing" | "unknown" | "type" | "value";

/** How the problems of a body are found. */
export interface BodyCheck {
  /** The error for a missing argument. */
  readonly missing: (path: string) => ChatError;
  /** The error for arguments that do not exist. Default: an error without code and param. */
  readonly unknown?: (names: readonly string[], valid: readonly string[]) => ChatError;
  /**
   * The stage in which a kind of problem is found, from 0. Each stage checks the whole request. `isWithin` says whether
   * the problem is within an argument. Default: a stage for each kind, in the order missing, unknown, type, value.
   */
  readonly stageOf?: (kind: ProblemKind, isWithin: boolean) => number;
}

const usualStages: readonly ProblemKind[] = ["missing", "unknown", "type", "value"];

/** A problem, and a function that makes its error if it proves to be the first. */
interface Problem {
  readonly kind: ProblemKind;
  readonly stage: number;
  readonly path: JsonPath;
  readonly error: (path: string) => ChatError;
}

/** The first problem of a request's body; undefined if there is none. Within one stage, the schema's order decides. */
export function checkBody(
  schema: Schema<unknown>,
  body: unknown,
  check: BodyCheck,
): ChatError | undefined {
  const run = new BodyRun(check);
  schema.check(body, run);
  const { first } = run;
  return first?.error(showParam(first.path));
}

/** One check of a body, which keeps the problem of the earliest stage. */
class BodyRun implements SchemaRun {
  first: Problem | undefined;
  readonly #check: BodyCheck;
  readonly #path: (string | number)[] = [];

  constructor(check: BodyCheck) {
    this.#check = check;
  }

  report(issue: Issue): void {
    switch (issue.kind) {
      case "missing":
        return this.#note("missing", this.#check.missing, issue.key);
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
        const { value, expected, pattern } = issue;
        return this.#note("value", (path) => chatErrors.wrongForm(path, value, expected, pattern));
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

  /**
   * Notes an unknown key. The service gives neither code nor param for an unknown argument, but both for a key within
   * an argument.
   */
  #noteUnknown(keys: readonly string[], valid: readonly string[]): void {
    const [key = ""] = keys;
    const isArgument = this.#path.length === 0;
    const error: Problem["error"] = isArgument
      ? () => (this.#check.unknown ?? chatErrors.unknownArguments)(keys, valid)
      : (path) => chatErrors.unknownParameter(path, key, valid);
    // An unknown key of an object wins over unknown keys further in, although those are checked first.
    const isWithin = this.#path.every((step, index) => this.first?.path[index] === step);
    if (isWithin && this.first?.kind === "unknown") this.first = undefined;
    this.#note("unknown", error, key);
  }

  #note(kind: ProblemKind, error: Problem["error"], key?: string): void {
    const { stageOf = (found: ProblemKind) => usualStages.indexOf(found) } = this.#check;
    const stage = stageOf(kind, this.#path.length > 0);
    if (this.first !== undefined && this.first.stage <= stage) return;
    const path = key === undefined ? [...this.#path] : [...this.#path, key];
    this.first = { kind, stage, path, error };
  }
}

/** A path as the service writes it, without quotes: `messages[0].content`. */
function showParam(path: JsonPath): string {
  return path.reduceRight<string>((rest, step) => {
    const shown = typeof step === "number" ? `[${step}]` : step;
    return rest === "" || rest.startsWith("[") ? shown + rest : `${shown}.${rest}`;
  }, "");
}
