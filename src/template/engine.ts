import type { Liquid, LiquidTemplate } from "liquidjs/dist/liquid.browser.mjs";
import { registerFilters, type FilterServices } from "./filters.ts";

/** Limits that no sensible template meets: characters parsed, milliseconds rendered, objects made. */
const limits = { parseLimit: 1_000_000, renderLimit: 2_000, memoryLimit: 10_000_000 };

const options = {
  ...limits,
  strictFilters: true,
  // A misspelt variable is an error; `if` and `default` may ask for one that is not there.
  strictVariables: true,
  lenientIf: true,
  ownPropertyOnly: true,
  // An empty set of partials: `include` and `render` find nothing and touch no file.
  templates: {},
  timezoneOffset: 0,
  locale: "en-US",
};

/** Parses and renders; knows nothing of scripts or rows. */
export interface Engine {
  readonly liquid: Liquid;
  readonly parse: (text: string) => LiquidTemplate[];
  readonly render: (template: LiquidTemplate[], scope: object) => Promise<string>;
  /** The value of a template that is one expression, else its text. */
  readonly evaluate: (template: LiquidTemplate[], scope: object) => Promise<unknown>;
}

/** Templates are parsed once; when there are more than this many, they are forgotten. */
const mostParsed = 1_000;

/** Loads the template library. */
export async function loadEngine(services: FilterServices): Promise<Engine> {
  const { Liquid: LiquidClass, TokenKind } = await import("liquidjs/dist/liquid.browser.mjs");
  const liquid = new LiquidClass(options);
  registerFilters(liquid, services);
  // Templates keep the filters of the instance that parsed them, so this one needs none.
  const typed = new LiquidClass({ ...options, keepOutputType: true });
  const parsed = new Map<string, LiquidTemplate[]>();
  const render = async (template: LiquidTemplate[], scope: object): Promise<string> =>
    String(await liquid.render(template, scope));
  return {
    liquid,
    render,
    parse: (text) => {
      const known = parsed.get(text);
      if (known !== undefined) return known;
      const template = liquid.parse(text);
      if (parsed.size >= mostParsed) parsed.clear();
      parsed.set(text, template);
      return template;
    },
    evaluate: async (template, scope) => {
      const [only, ...others] = template;
      if (only?.token.kind !== TokenKind.Output || others.length > 0)
        return render(template, scope);
      return (await typed.render(template, scope)) ?? null;
    },
  };
}
