import { type Engine, type Evaluation, loadEngine, usableTags } from "./engine.ts";
import { loadFakeValues, type FakeSource, type FakeValues } from "./fake-values.ts";
import {
  findProblem,
  type KnownNames,
  type Members,
  problemOf,
  renderError,
  type TemplateProblem,
} from "./check-template.ts";

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
  /** The template's text. Rejects with `ERR_TEMPLATE_INVALID`. */
  readonly render: (text: string, scope: object) => Promise<string>;
  /** The typed value of a template that is a single `{{ … }}`; the text of any other. */
  readonly evaluate: (text: string, scope: object) => Promise<unknown>;
  /**
   * A synchronous function that does what `evaluate` does, for templates that are evaluated for many rows. It throws
   * `ERR_TEMPLATE_INVALID`.
   */
  readonly compile: (text: string) => Promise<Evaluation>;
}

/** Filters that use faker. A text that mentions none of them never loads it. */
const needsFaker = /\b(?:faker|sample)\b/;

/** Makes a renderer. The library is loaded when there is a template. */
export function createRenderer(options: TemplateOptions = {}): Templates {
  let fakeValues: FakeValues | undefined;
  let engine: Promise<Engine> | undefined;
  async function load(text: string): Promise<Engine> {
    if (fakeValues === undefined && needsFaker.test(text)) {
      const loaded = await loadFakeValues(options);
      // Another call may have been first. Its values continue, so that a seed's sequence starts only once.
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

/** Turns the library's errors into ours. */
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
