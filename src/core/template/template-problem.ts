import { EmulatorError } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/nearest-name.ts";

/** What is wrong with a template, and where in its text. Lines and columns count from 1. */
export interface TemplateProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** The names that exist, for suggestions. */
export interface KnownNames {
  readonly filters: Iterable<string>;
  readonly tags: Iterable<string>;
  readonly scope: object;
}

/** The template library appends the place to its messages. */
const placeSuffix = /(?:, file:.*)?, line:\d+, col:\d+$/;

/** Reads an error of the template library. */
export function problemOf(error: unknown, names: KnownNames): TemplateProblem {
  const text = (error instanceof Error ? error.message : String(error)).replace(placeSuffix, "");
  const [line, column] = positionOf(error);
  return { message: `${text}.${suggestion(text, names)}`, line, column };
}

/** The error to throw for a problem that came up while rendering. */
export function renderError(problem: TemplateProblem, cause?: unknown): EmulatorError {
  const place = `line ${problem.line}, column ${problem.column}`;
  return new EmulatorError(
    "ERR_TEMPLATE_INVALID",
    `Cannot render the template at ${place}: ${problem.message}`,
    { cause, problems: [problem] },
  );
}

function positionOf(error: unknown): [number, number] {
  const match = /, line:(\d+), col:(\d+)$/.exec(error instanceof Error ? error.message : "");
  return [Number(match?.[1] ?? 1), Number(match?.[2] ?? 1)];
}

function suggestion(message: string, names: KnownNames): string {
  const filter = /^undefined filter: (\S+)$/.exec(message)?.[1];
  if (filter !== undefined) return didYouMean(filter, names.filters);
  const tag = /^tag "([^"]*)" not found$/.exec(message)?.[1];
  if (tag !== undefined) return didYouMean(tag, names.tags);
  const variable = /^undefined variable: (\S+)$/.exec(message)?.[1];
  return variable === undefined ? "" : nearestVariable(variable.split("."), names.scope);
}

function hintFor(name: string, within: object): string {
  if (!Array.isArray(within)) return didYouMean(name, Object.keys(within));
  return /^-?\d+$/.test(name) ? ` ${itemsIn(within.length)}` : "";
}

function itemsIn(length: number): string {
  if (length === 0) return "There is no item.";
  return length === 1
    ? "There is only one item, with the index 0."
    : `The indexes there are go from 0 to ${length - 1}.`;
}

/** Suggests a name for the first part of a path that its object does not have. */
function nearestVariable(path: readonly string[], scope: object): string {
  let current: unknown = scope;
  for (const name of path) {
    if (typeof current !== "object" || current === null) return "";
    if (!Object.hasOwn(current, name)) return hintFor(name, current);
    current = Reflect.get(current, name);
  }
  return "";
}
