import type { FakeValues } from "./fake-values.ts";

// Types for the few parts of liquidjs that templates use. `liquidjs.d.ts` assigns them to its browser build. They are
// not in that file because only our compiler reads it, and exported types must not need it.

/** A part of an expression. */
export interface ArgumentToken {
  readonly kind: number;
  /** The value of a literal. */
  readonly content?: unknown;
}

/** A filter with its arguments. */
export interface FilterToken {
  readonly name: string;
  /** The arguments. A named one is a pair of name and value. */
  readonly args: readonly (ArgumentToken | [string, ArgumentToken | undefined])[];
}

/** A piece of a template: text, an output or a tag. */
export interface LiquidTemplate {
  readonly token: { readonly kind: number };
  /** The parts of an output. */
  readonly value?: {
    readonly initial: { readonly postfix: readonly ArgumentToken[] };
    readonly filters: readonly FilterToken[];
  };
}

/** The `this` of a filter function. */
export interface FilterContext {
  readonly token: Pick<FilterToken, "args">;
}

export type Filter = (this: FilterContext, value: unknown, ...args: unknown[]) => unknown;

interface Variable {
  /** The path: names and indexes, and variables where they are computed. */
  readonly segments: readonly (string | number | Variable)[];
  readonly location: { readonly row: number; readonly col: number };
}

/** An instance of the library, which parses and renders. */
export interface Liquid {
  readonly filters: Record<string, Filter>;
  readonly tags: Readonly<Record<string, unknown>>;
  parse(text: string): LiquidTemplate[];
  renderSync(
    template: LiquidTemplate[],
    scope: object,
    options?: { readonly strictVariables: boolean },
  ): unknown;
  registerFilter(name: string, filter: Filter): void;
  registerTag(
    name: string,
    tag: { readonly parse: () => never; readonly render: () => void },
  ): void;
  analyzeSync(template: LiquidTemplate[]): {
    readonly globals: Readonly<Record<string, readonly Variable[]>>;
  };
}

export interface TokenKinds {
  readonly Output: number;
  readonly Quoted: number;
  readonly Number: number;
  readonly Literal: number;
}

/** Limits far beyond sensible templates: characters parsed, milliseconds rendered, objects created. */
const limits = { parseLimit: 1_000_000, renderLimit: 2_000, memoryLimit: 10_000_000 };

const options = {
  ...limits,
  strictFilters: true,
  // A misspelt variable is an error, except in `if`, before `default`, and in templates about requests, which may lack
  // it.
  strictVariables: true,
  lenientIf: true,
  ownPropertyOnly: true,
  // There are no partials, so that no template can read a file.
  templates: {},
  timezoneOffset: 0,
  locale: "en-US",
};

/** Options for templates about a request, which may lack what other requests have. */
const lenient = { strictVariables: false };

/** Evaluates a template in a scope. */
export type Evaluation = (scope: object) => unknown;

/**
 * Parses and renders templates, without knowing scripts or rows. It is synchronous, which takes an eighth of the time
 * of liquidjs' promises.
 */
export interface Engine {
  readonly liquid: Liquid;
  readonly parse: (text: string) => LiquidTemplate[];
  /** The text. An absent variable is empty. */
  readonly render: (template: LiquidTemplate[], scope: object) => string;
  /** The value of a template that is a single expression, else its text. An absent variable is an empty text. */
  readonly evaluate: (template: LiquidTemplate[], scope: object) => unknown;
  /** Like `evaluate`, for a template that is evaluated often. An absent variable is an error. */
  readonly compile: (template: LiquidTemplate[], fakeValues: FakeValues | undefined) => Evaluation;
}

/** Parsed templates are cached. Beyond this number the cache is dropped. */
const mostParsed = 1_000;

/** Loads the template library. */
export async function loadEngine(services: FilterServices): Promise<Engine> {
  const { Liquid: LiquidClass, TokenKind } = await import("liquidjs");
  const liquid = new LiquidClass(options);
  registerFilters(liquid, services);
  refuseFileTags(liquid);
  // Templates keep the filters of the instance that parsed them, so this one needs none.
  const typed = new LiquidClass({ ...options, keepOutputType: true });
  const parsed = new Map<string, LiquidTemplate[]>();
  const isExpression = ([only, ...others]: LiquidTemplate[]): boolean =>
    only?.token.kind === TokenKind.Output && others.length === 0;
  const render = (template: LiquidTemplate[], scope: object): string =>
    String(liquid.renderSync(template, scope, lenient));
  const evaluate = (template: LiquidTemplate[], scope: object): unknown => {
    if (!isExpression(template)) return render(template, scope);
    const value = typed.renderSync(template, scope, lenient);
    return value === undefined ? "" : value;
  };
  const evaluateStrictly = (template: LiquidTemplate[], scope: object): unknown =>
    isExpression(template)
      ? (typed.renderSync(template, scope) ?? null)
      : String(liquid.renderSync(template, scope));
  return {
    liquid,
    render,
    evaluate,
    parse: (text) => {
      const known = parsed.get(text);
      if (known !== undefined) return known;
      const template = liquid.parse(text);
      if (parsed.size >= mostParsed) parsed.clear();
      parsed.set(text, template);
      return template;
    },
    compile: (template, fakeValues) => {
      const general: Evaluation = (scope) => evaluateStrictly(template, scope);
      const call = fakerCall(template, { fakeValues, kinds: TokenKind });
      if (call === undefined) return general;
      return (scope) => {
        try {
          return call() ?? null;
        } catch {
          // Liquid's own evaluation fails too, and its error says where.
          return general(scope);
        }
      };
    },
  };
}

/** The services that filters need. Faker is only loaded later. */
interface FilterServices {
  /** Gives faker's values, which are loaded before a template that needs them is rendered. */
  readonly fakeValues: () => FakeValues;
  readonly now: (() => number) | undefined;
}

/**
 * Adds the filter `faker`, makes filters that depend on chance or the clock reproducible, and removes asynchronous
 * ones.
 */
function registerFilters(liquid: Liquid, services: FilterServices): void {
  liquid.registerFilter("faker", function fakeValue(path, ...args) {
    return services.fakeValues().call(String(path), groupNamed(this, args));
  });
  liquid.registerFilter("sample", (value, count = 1) => {
    const letters = typeof value === "string" ? Array.from(value) : [];
    const list = Array.isArray(value) ? value : letters;
    const { pick, sample } = services.fakeValues();
    return count === 1 ? (pick(list) ?? null) : sample(list, Math.trunc(Number(count)) || 0);
  });
  for (const name of filtersThatWait) delete liquid.filters[name];
  const { now } = services;
  if (now === undefined) return;
  for (const [name, filter] of Object.entries(liquid.filters)) {
    if (/^date(?:_|$)/.test(name)) liquid.registerFilter(name, atTime(filter, now));
  }
}

/**
 * The library's filters that return a promise. They are removed, since synchronous rendering would show the promise
 * itself.
 */
const filtersThatWait: readonly string[] = ["sha256", "hmac_sha256"];

/** `faker: min: 1, max: 6` passes one object `{ min: 1, max: 6 }`, as faker's methods expect. */
function groupNamed(context: FilterContext, args: readonly unknown[]): unknown[] {
  const isNamed = (index: number): boolean => Array.isArray(context.token.args[index]);
  const positional = args.filter((_, index) => !isNamed(index));
  const named = args.filter((_, index) => isNamed(index));
  if (named.length === 0) return positional;
  return [...positional, Object.fromEntries(named as [string, unknown][])];
}

/** A date filter whose "now" is the emulator's clock. */
function atTime(filter: Filter, now: () => number): Filter {
  return function dateAtTime(value, ...args) {
    const date = value === "now" || value === "today" ? now() / 1000 : value;
    return Reflect.apply(filter, this, [date, ...args]);
  };
}

/**
 * The direct faker call for a template that is only such a call with literal arguments, such as `{{ 'number.int' |
 * faker: min: 1, max: 6 }}`. Nearly all generated cells have this form. Evaluating it by Liquid takes 2.3 µs, seven
 * times as long as faker takes for a first name.
 */
function fakerCall(
  template: readonly LiquidTemplate[],
  {
    fakeValues,
    kinds,
  }: { readonly fakeValues: FakeValues | undefined; readonly kinds: TokenKinds },
): (() => unknown) | undefined {
  const [only, ...others] = template;
  if (only?.value === undefined || others.length > 0) return undefined;
  const { initial, filters } = only.value;
  const [path] = initial.postfix;
  const [filter] = filters;
  if (initial.postfix.length !== 1 || path?.kind !== kinds.Quoted) return undefined;
  if (filters.length !== 1 || filter?.name !== "faker") return undefined;
  const method = fakeValues?.method(String(path.content));
  const args = literalArguments(filter, kinds);
  if (method === undefined || args === undefined) return undefined;
  return () => method(...args);
}

/** The arguments of the method, named ones as one object; undefined when one is not a literal. */
function literalArguments({ args }: FilterToken, kinds: TokenKinds): unknown[] | undefined {
  const isLiteral = (token: ArgumentToken | undefined): token is ArgumentToken =>
    token?.kind === kinds.Quoted ||
    token?.kind === kinds.Number ||
    // `nil`, `empty` and `blank` are literals too, but not plain values, so they are excluded.
    (token?.kind === kinds.Literal && typeof token.content === "boolean");
  const positional: unknown[] = [];
  const named: [string, unknown][] = [];
  for (const arg of args) {
    const [name, token] = Array.isArray(arg) ? arg : [undefined, arg];
    if (!isLiteral(token)) return undefined;
    if (name === undefined) positional.push(token.content);
    else named.push([name, token.content]);
  }
  return named.length === 0
    ? positional
    : [...positional, Object.freeze(Object.fromEntries(named))];
}

/** Tags that include other files. They are refused, since a template must not read files. */
const refusedTags: readonly string[] = ["include", "render", "layout", "block"];

/** Makes a template with one of these tags fail to parse. */
function refuseFileTags(liquid: Liquid): void {
  for (const name of refusedTags) {
    liquid.registerTag(name, {
      parse: () => {
        throw new Error(
          `the tag "${name}" works with other files, which templates here cannot use; write its text in this template`,
        );
      },
      render: () => {},
    });
  }
}

/** The names of the tags that a template can use. */
export function usableTags({ tags }: Liquid): readonly string[] {
  return Object.keys(tags).filter((name) => !refusedTags.includes(name));
}
