import { type Engine, type Evaluation, loadEngine, usableTags } from "./engine.ts";
import { loadFakeValues, type FakeSource, type FakeValues } from "./fake-values.ts";
import { EmulatorError } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/show.ts";

/** The sources of randomness and time for templates. */
export type TemplateOptions = FakeSource;

/** The names that a template can use. */
export interface TemplateNames {
  readonly variables?: readonly string[];
  readonly members?: Members | undefined;
}

/** Renders Liquid templates. The library and faker are loaded on first use. */
export interface Templates {
  /**
   * Checks a template without rendering it: syntax, filters, tags, faker paths, and variables and their contents
   * where these are given.
   */
  readonly check: (text: string, names?: TemplateNames) => Promise<TemplateProblem | undefined>;
  /** The template's text. An absent variable is empty. Rejects with `ERR_TEMPLATE_INVALID`. */
  readonly render: (text: string, scope: object) => Promise<string>;
  /** The typed value of a template that is a single `{{ … }}`; the rendered text of any other template. */
  readonly evaluate: (text: string, scope: object) => Promise<unknown>;
  /**
   * A synchronous function that does what `evaluate` does, for templates that are evaluated for many rows. It throws
   * `ERR_TEMPLATE_INVALID`, also where a variable is absent.
   */
  readonly compile: (text: string) => Promise<Evaluation>;
}

/** Matches templates that may use faker. Faker is not loaded for any others. */
const needsFaker = /\b(?:faker|sample)\b/;

/** Makes a renderer. The library is loaded with the first template. */
export function createRenderer(options: TemplateOptions = {}): Templates {
  let fakeValues: FakeValues | undefined;
  let engine: Promise<Engine> | undefined;
  async function load(text: string): Promise<Engine> {
    if (fakeValues === undefined && needsFaker.test(text)) {
      const loaded = await loadFakeValues(options);
      // Another call may have loaded faker first. Its instance is kept, so that a seed's sequence starts only once.
      fakeValues ??= loaded;
    }
    engine ??= loadEngine({ fakeValues: loadedFakeValues, now: options.now });
    return engine;
  }
  function loadedFakeValues(): FakeValues {
    if (fakeValues === undefined) throw new Error("faker is used under a computed name");
    return fakeValues;
  }
  return {
    check: async (text, { variables, members } = {}) => {
      const loaded = await load(text);
      return findProblem(text, loaded, { fakeValues, variables, members });
    },
    render: async (text, scope) => {
      const loaded = await load(text);
      return guarded(loaded, scope, () => loaded.render(loaded.parse(text), scope));
    },
    evaluate: async (text, scope) => {
      const loaded = await load(text);
      return guarded(loaded, scope, () => loaded.evaluate(loaded.parse(text), scope));
    },
    compile: async (text) => {
      const loaded = await load(text);
      const evaluation = guarded(loaded, {}, () => loaded.compile(loaded.parse(text), fakeValues));
      return (scope) => guarded(loaded, scope, () => evaluation(scope));
    },
  };
}

/** Runs the library, and turns its errors into ours. */
function guarded<Result>({ liquid }: Engine, scope: object, render: () => Result): Result {
  try {
    return render();
  } catch (error) {
    const names: KnownNames = {
      filters: Object.keys(liquid.filters),
      tags: usableTags(liquid),
      scope,
    };
    throw renderError(problemOf(error, names), error);
  }
}

/** What a check of a template may use. */
interface CheckContext {
  /** Given if the template mentions faker. */
  readonly fakeValues: FakeValues | undefined;
  /** The variables. Undefined: they are not known, and are not checked. */
  readonly variables: readonly string[] | undefined;
  readonly members: Members | undefined;
}

/**
 * The members of variables whose members are all known: a list of names, or the kind text or list. For example `{
 * match: ["city"], user: "text" }`.
 */
type Members = Readonly<Record<string, readonly string[] | "text" | "list">>;

/** The first problem of a template's source. */
function findProblem(
  text: string,
  engine: Engine,
  context: CheckContext,
): TemplateProblem | undefined {
  const { liquid } = engine;
  try {
    return unknownName(text, engine, context) ?? unknownFakerPath(text, context);
  } catch (error) {
    const filters = Object.keys(liquid.filters);
    return problemOf(error, { filters, tags: usableTags(liquid), scope: {} });
  }
}

function unknownName(
  text: string,
  { liquid, parse }: Engine,
  { variables, members = {} }: CheckContext,
): TemplateProblem | undefined {
  const used = Object.entries(liquid.analyzeSync(parse(text)).globals);
  const unknown = used.find(([name]) => variables?.includes(name) === false);
  if (unknown !== undefined) {
    const [name, uses] = unknown;
    const { row: line, col: column } = uses[0]?.location ?? { row: 1, col: 1 };
    const message = `undefined variable: ${name}.${didYouMean(name, variables ?? [])}`;
    return { message, line, column };
  }
  for (const [variable, uses] of used) {
    const known = Object.hasOwn(members, variable) ? members[variable] : undefined;
    if (known === undefined) continue;
    for (const { segments, location } of uses) {
      const name = segments[1];
      if (name === undefined || typeof name === "object" || isMember(name, known)) continue;
      const place = { line: location.row, column: location.col };
      if (mayBeUndefined(text, place)) continue;
      const hint = didYouMean(String(name), namesIn(known)) || whatThereIs(variable, known);
      return { message: `undefined variable: ${variable}.${name}.${hint}`, ...place };
    }
  }
  return undefined;
}

/** Liquid's built-in properties of texts, lists, and objects. */
const builtIn = { text: ["size"], list: ["size", "first", "last"], names: ["size"] } as const;

function isMember(name: string | number, known: Members[string]): boolean {
  // Texts and lists can be indexed: `messages[0]`.
  if (typeof known === "string" && /^-?\d+$/.test(String(name))) return true;
  return namesIn(known).includes(String(name));
}

function namesIn(known: Members[string]): readonly string[] {
  return typeof known === "string" ? builtIn[known] : [...known, ...builtIn.names];
}

/** The most names that a message lists. */
const mostListed = 10;

function whatThereIs(variable: string, known: Members[string]): string {
  if (known === "text") return ` "${variable}" is a text: it has "size", and letters by number.`;
  if (known === "list") {
    return ` "${variable}" is a list: it has "size", "first", "last", and items by number, from 0.`;
  }
  if (known.length === 0) return ` There is nothing in "${variable}" here.`;
  const listed = known.slice(0, mostListed).map((name) => `"${name}"`);
  return ` In "${variable}" here: ${listed.join(", ")}${known.length > mostListed ? ", …" : ""}.`;
}

/** A literal faker path, as nearly all are. A computed one is checked during rendering. */
const literalFakerPath = /(["'])([^"']*)\1\s*\|\s*faker\b/g;

function unknownFakerPath(text: string, { fakeValues }: CheckContext): TemplateProblem | undefined {
  for (const match of text.matchAll(literalFakerPath)) {
    const message = fakeValues?.problem(match[2] ?? "");
    if (message === undefined) continue;
    const before = text.slice(0, match.index);
    const line = before.split("\n").length;
    return { message, line, column: match.index - before.lastIndexOf("\n") };
  }
  return undefined;
}

/** Tags whose condition may test whether a variable exists. */
const asking = /^\{%-?\s*(?:if|elsif|unless)\b/;
const askingLine = /^\s*(?:if|elsif|unless)\b/;
const withDefault = /\|\s*default\b/;

/**
 * Whether a variable may be undefined at this place of a template: in a condition, or before `default`. Anywhere else,
 * rendering would fail.
 */
function mayBeUndefined(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): boolean {
  const lines = text.split("\n");
  const lineText = lines[line - 1] ?? "";
  const at = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
  const start = Math.max(text.lastIndexOf("{{", at), text.lastIndexOf("{%", at));
  const end = text.slice(at).search(/[%}]\}/);
  const around = text.slice(start, end === -1 ? text.length : at + end);
  // The tag `liquid` contains a tag on each of its lines.
  if (/^\{%-?\s*liquid\b/.test(around)) {
    return askingLine.test(lineText) || withDefault.test(lineText);
  }
  return asking.test(around) || withDefault.test(around);
}

/** A problem of a template, and its place. Lines and columns count from 1. */
interface TemplateProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** The valid names, for suggestions. */
interface KnownNames {
  readonly filters: Iterable<string>;
  readonly tags: Iterable<string>;
  readonly scope: object;
}

/** The template library appends the place to its messages. */
const placeSuffix = /(?:, file:.*)?, line:\d+, col:\d+$/;

/** Reads an error of the template library. */
function problemOf(error: unknown, names: KnownNames): TemplateProblem {
  const text = (error instanceof Error ? error.message : String(error)).replace(placeSuffix, "");
  const [line, column] = positionOf(error);
  return { message: `${text}.${suggestion(text, names)}`, line, column };
}

/** The error to throw for a problem during rendering. */
function renderError(problem: TemplateProblem, cause?: unknown): EmulatorError {
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
    : `The indexes go from 0 to ${length - 1}.`;
}

/** Suggests a name for the first step of a path that does not exist. */
function nearestVariable(path: readonly string[], scope: object): string {
  let current: unknown = scope;
  for (const name of path) {
    if (typeof current !== "object" || current === null) return "";
    if (!Object.hasOwn(current, name)) return hintFor(name, current);
    current = Reflect.get(current, name);
  }
  return "";
}
