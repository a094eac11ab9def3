import type { FakeValues } from "./fake-values.ts";
import type {
  ArgumentToken,
  Filter,
  FilterContext,
  FilterToken,
  Liquid,
  LiquidTemplate,
  TokenKinds,
} from "./liquid.ts";

/** Limits that no sensible template meets: characters parsed, milliseconds rendered, objects made. */
const limits = { parseLimit: 1_000_000, renderLimit: 2_000, memoryLimit: 10_000_000 };

const options = {
  ...limits,
  strictFilters: true,
  // A misspelt variable is an error; `if` and `default` may ask for one that is not there.
  strictVariables: true,
  lenientIf: true,
  ownPropertyOnly: true,
  // An empty set of partials, so that nothing can touch a file.
  templates: {},
  timezoneOffset: 0,
  locale: "en-US",
};

/** What a template comes to in a scope. */
export type Evaluation = (scope: object) => unknown;

/** Parses and renders; knows nothing of scripts or rows. Waiting for nothing takes an eighth of liquidjs' promises. */
export interface Engine {
  readonly liquid: Liquid;
  readonly parse: (text: string) => LiquidTemplate[];
  readonly render: (template: LiquidTemplate[], scope: object) => string;
  /** The value of a template that is one expression, else its text. */
  readonly evaluate: (template: LiquidTemplate[], scope: object) => unknown;
  /** As `evaluate`, for a template that is evaluated often. */
  readonly compile: (template: LiquidTemplate[], fakeValues: FakeValues | undefined) => Evaluation;
}

/** Templates are parsed once; when there are more than this many, they are forgotten. */
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
  const render = (template: LiquidTemplate[], scope: object): string =>
    String(liquid.renderSync(template, scope));
  const evaluate = (template: LiquidTemplate[], scope: object): unknown => {
    const [only, ...others] = template;
    const isExpression = only?.token.kind === TokenKind.Output && others.length === 0;
    return isExpression ? (typed.renderSync(template, scope) ?? null) : render(template, scope);
  };
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
      const general: Evaluation = (scope) => evaluate(template, scope);
      const call = fakerCall(template, { fakeValues, kinds: TokenKind });
      if (call === undefined) return general;
      return (scope) => {
        try {
          return call() ?? null;
        } catch {
          // The general way fails, too, and says where.
          return general(scope);
        }
      };
    },
  };
}

/** What the filters need that is loaded or known only later. */
interface FilterServices {
  /** Loaded before a template that needs it is rendered. */
  readonly fakeValues: () => FakeValues;
  readonly now: (() => number) | undefined;
}

/** Adds the filter `faker`, makes those that depend on chance or the clock reproducible, and takes out those that wait. */
function registerFilters(liquid: Liquid, services: FilterServices): void {
  liquid.registerFilter("faker", function fakeValue(path, ...args) {
    return services.fakeValues().call(String(path), groupNamed(this, args));
  });
  liquid.registerFilter("sample", (value, count = 1) => {
    const list = Array.isArray(value) ? value : typeof value === "string" ? Array.from(value) : [];
    const { pick, sample } = services.fakeValues();
    return count === 1 ? pick(list) : sample(list, Math.trunc(Number(count)) || 0);
  });
  for (const name of filtersThatWait) delete liquid.filters[name];
  const { now } = services;
  if (now === undefined) return;
  for (const [name, filter] of Object.entries(liquid.filters)) {
    if (/^date(?:_|$)/.test(name)) liquid.registerFilter(name, atTime(filter, now));
  }
}

/** Filters of the library that give a promise, which would be rendered as such: here nothing is waited for. */
const filtersThatWait: readonly string[] = ["sha256", "hmac_sha256"];

/** `faker: min: 1, max: 6` passes one object `{ min: 1, max: 6 }`, as faker's methods want it. */
function groupNamed(context: FilterContext, args: readonly unknown[]): unknown[] {
  const isNamed = (index: number): boolean => Array.isArray(context.token.args[index]);
  const positional = args.filter((_, index) => !isNamed(index));
  const named = args.filter((_, index) => isNamed(index));
  if (named.length === 0) return positional;
  return [...positional, Object.fromEntries(named as [string, unknown][])];
}

/** A date filter that takes "now" from our clock. */
function atTime(filter: Filter, now: () => number): Filter {
  return function dateAtTime(value, ...args) {
    const date = value === "now" || value === "today" ? now() / 1000 : value;
    return Reflect.apply(filter, this, [date, ...args]);
  };
}

/**
 * The call that a template stands for which is nothing but one faker method with arguments that are written out, such
 * as `{{ 'number.int' | faker: min: 1, max: 6 }}`: the form of nearly all cells that are generated. Liquid's own way to
 * such a call takes 2.3 µs, seven times as long as faker takes for a first name.
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

/** What is passed to the method, named arguments as one object; undefined when one of them is not written out. */
function literalArguments({ args }: FilterToken, kinds: TokenKinds): unknown[] | undefined {
  const isLiteral = (token: ArgumentToken | undefined): token is ArgumentToken =>
    token?.kind === kinds.Quoted ||
    token?.kind === kinds.Number ||
    // Not `nil`, `empty` and `blank`, which are more than values.
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

/** Tags that put other files into a template. Here a template is one text, and no file is ever read. */
const refusedTags: readonly string[] = ["include", "render", "layout", "block"];

/** Makes a template with one of these tags an error as soon as it is parsed. */
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
