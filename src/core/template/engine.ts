import type { Liquid, LiquidTemplate } from "./liquid.ts";
import type { FakeValues } from "./fake-values.ts";
import { fakerCall } from "./faker-call.ts";
import { registerFilters, type FilterServices } from "./filters.ts";
import { refuseFileTags } from "./refused-tags.ts";

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
