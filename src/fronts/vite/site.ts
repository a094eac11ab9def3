import { resolve } from "node:path";
import type { Connect, ResolvedConfig, ViteDevServer } from "vite";
import { middleware } from "../node/middleware.ts";
import { serveConsolePage } from "./console-page.ts";
import { FixtureSource, type LoadedFixtures } from "./fixture-source.ts";
import { followFixtures } from "./follow-fixtures.ts";
import type { PluginOptions } from "./options.ts";
import { type FixtureUpdate, pageModule } from "./page-module.ts";
import { isOfVite } from "./vite-paths.ts";
import { serveScript, type WorkerScript, workerScript } from "./worker-script.ts";
import { writeTypes } from "./write-types.ts";

/** What a plugin does for one config of Vite: a dev server, a preview, or a build. */
export class Site {
  readonly command: ResolvedConfig["command"];
  /** The service worker that pages register. */
  readonly script: WorkerScript | undefined;
  readonly #options: PluginOptions;
  readonly #config: ResolvedConfig;
  readonly #source: FixtureSource;
  #loaded: Promise<LoadedFixtures> | undefined;

  constructor(options: PluginOptions, config: ResolvedConfig) {
    this.command = config.command;
    this.script = workerScript(options.mode, config.root);
    this.#options = options;
    this.#config = config;
    this.#source = new FixtureSource(options, config.root);
  }

  /** The last fixtures that were good. Rejects with an `EmulatorError` while there were none. */
  #fixtures(): Promise<LoadedFixtures> {
    return (this.#loaded ??= this.#source.load());
  }

  /** Answers on a dev server, and follows the fixtures. Resolves with what ends that. */
  async serve(server: ViteDevServer): Promise<() => void> {
    const { mode } = this.#options;
    if (mode === "off") return () => undefined;
    await this.tellTypes();
    // The package may be missing, which shall be told now, and not to the page.
    if (mode === "msw") await this.script?.names();
    const replace = await this.mount(server.middlewares);
    if (mode !== "server") server.middlewares.use(serveConsolePage(server, mode));
    return followFixtures(server, {
      source: this.#source,
      take: (loaded) => {
        const update = replace(loaded);
        this.#loaded = Promise.resolve(loaded);
        this.#writeTypes(loaded);
        return update;
      },
    });
  }

  /** Adds what answers to a server. Resolves with what takes other fixtures. */
  async mount(middlewares: Connect.Server): Promise<(loaded: LoadedFixtures) => FixtureUpdate> {
    const { base } = this.#config;
    if (this.script !== undefined) middlewares.use(serveScript(this.script, base));
    if (this.#options.mode !== "server") {
      return (loaded) => ({ document: this.#source.document(loaded) });
    }
    const core = this.#source.core(await this.#fixtures());
    const answer = middleware({ core });
    middlewares.use((request, response, next) => {
      if (isOfVite(request.url ?? "", base)) next();
      else answer(request, response, next);
    });
    return ({ set }) => {
      core.load(set);
      return {};
    };
  }

  /** The code of `virtual:backlot`. */
  async pageModule(): Promise<string> {
    const { mode, settings, persist } = this.#options;
    const { base } = this.#config;
    const document = mode === "off" ? {} : this.#source.document(await this.#fixtures());
    const isHot = this.command === "serve";
    return pageModule({ mode, document, settings, persist, base, isHot });
  }

  /** The files that the fixtures are read from. */
  async files(): Promise<readonly string[]> {
    if (this.#options.mode === "off") return [];
    return (await this.#fixtures()).files.map((file) => resolve(this.#config.root, file));
  }

  /** Writes the types of the fixtures, where that is wanted. */
  async tellTypes(): Promise<void> {
    if (this.#options.types !== undefined) this.#writeTypes(await this.#fixtures());
  }

  #writeTypes(loaded: LoadedFixtures): void {
    const { types } = this.#options;
    if (types === undefined) return;
    writeTypes(resolve(this.#config.root, types), this.#source.document(loaded));
  }
}
