import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin, ResolvedConfig, UserConfig } from "vite";
import {
  type BacklotMode,
  type BacklotOptions,
  type PluginOptions,
  readOptions,
} from "./options.ts";
import { atOnceId, pageModuleId } from "./page-module.ts";
import { refuseOlder } from "../needs/refuse-older.ts";
import { fixturePlaceFor, Site } from "./site.ts";

export type { BacklotMode, BacklotOptions } from "./options.ts";
export type { Persistence } from "../page/persistence.ts";
export type { FixtureUpdate } from "./page-module.ts";

/** Vite's mark for virtual modules. */
const resolvedId = `\0${pageModuleId}`;

/**
 * Serves both interfaces where Vite runs, from fixtures that may change meanwhile. Throws `ERR_OPTION_INVALID`.
 *
 * @example
 * export default defineConfig({ plugins: [backlot({ fixtures: "fixtures" })] });
 */
export function backlot(options: BacklotOptions = {}): Plugin {
  const read = readOptions(options);
  let site: Site | undefined;
  const siteOf = (): Site => {
    if (site === undefined) throw new Error("Vite has not resolved its config yet.");
    return site;
  };
  /** The worker script of a build, as the bundler names it. */
  let scriptFile: string | undefined;
  const ends = new WeakMap<ResolvedConfig, () => void>();
  return {
    name: "backlot",
    config: ({ root = process.cwd() }) => ({ ...configFor(read), ...rerunsFor(read, root) }),
    configResolved: (config) => {
      refuseOlder("backlot/vite", "vite", import.meta.url);
      if (read.mode === "msw")
        refuseOlder("Mode msw of backlot/vite", "msw", projectModule(config));
      site = new Site(read, config);
    },
    configureServer: async (server) => {
      ends.set(server.config, await siteOf().serve(server));
    },
    configurePreviewServer: (server) => siteOf().preview(server),
    async buildStart() {
      if (siteOf().command !== "build") return;
      await siteOf().tellTypes();
      if (this.environment.name !== "client") return;
      siteOf().warnOfForeignBase();
      scriptFile = undefined;
      for (const [fileName, source] of (await siteOf().script?.()) ?? []) {
        const file = this.emitFile({ type: "asset", fileName, source });
        // The first is the script itself, which imports the others.
        scriptFile ??= file;
      }
    },
    resolveId: (id) => (id === pageModuleId ? resolvedId : undefined),
    async load(id) {
      if (id !== resolvedId) return undefined;
      if (siteOf().command === "build") {
        for (const file of await siteOf().files()) this.addWatchFile(file);
      }
      const script = this.environment.name === "client" ? scriptFile : undefined;
      return { code: await siteOf().pageModule(script), moduleSideEffects: false };
    },
    closeBundle() {
      ends.get(this.environment.getTopLevelConfig())?.();
    },
  };
}

/** The address of a module in the project, which resolves msw to the one that the project's pages get. */
function projectModule({ root }: ResolvedConfig): string {
  return pathToFileURL(join(root, "index.js")).href;
}

/** A plugin that runs from source serves its pages from source, too. */
const fromSource = import.meta.url.endsWith(".ts");

/** For each mode the module that a page imports, by its id and its file. */
const needs: Partial<Readonly<Record<BacklotMode, readonly [id: string, file: string]>>> = {
  msw: [atOnceId, fromSource ? "../page/browser/at-once.ts" : "./at-once.js"],
  worker: ["backlot/worker", fromSource ? "../page/worker/index.ts" : "./worker.js"],
};

/** The files for which Vitest runs all tests again by default. It forgets them once any are named. */
const ownTriggers = ["**/package.json/**", "**/{vitest,vite}.config.*/**"];

/** Makes Vitest run the tests again when a fixture has changed: its watch mode knows only what tests import. */
function rerunsFor({ fixtures }: PluginOptions, root: string): object {
  if (process.env["VITEST"] === undefined) return {};
  const place = resolve(root, fixturePlaceFor(fixtures, root).path).replaceAll("\\", "/");
  return { test: { forceRerunTriggers: [...ownTriggers, place, `${place}/**`] } };
}

/** Makes Vite prebundle what a page needs, since discovering it late would reload the page. */
function configFor({ mode }: PluginOptions): Omit<UserConfig, "plugins"> {
  const [id, file] = needs[mode] ?? [];
  if (id === undefined || file === undefined) return {};
  const replacement = fileURLToPath(new URL(file, import.meta.url));
  // One group with everything that the module imports. Otherwise Vite would make a separate file of each set of modules
  // that it shares with late parts.
  const groups = [{ name: "backlot", test: replacement }];
  return {
    optimizeDeps: {
      include: [id],
      ...(fromSource ? { force: true } : {}),
      rolldownOptions: { output: { codeSplitting: { groups } } },
    },
    resolve: { alias: [{ find: new RegExp(`^${id}$`), replacement }] },
  };
}

export { backlot as default };
