import { fileURLToPath } from "node:url";
import type { Plugin, ResolvedConfig, UserConfig } from "vite";
import { type BacklotOptions, type PluginOptions, readOptions } from "./options.ts";
import { pageModuleId } from "./page-module.ts";
import { Site } from "./site.ts";

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
  const ends = new WeakMap<ResolvedConfig, () => void>();
  return {
    name: "backlot",
    config: () => configFor(read),
    configResolved: (config) => {
      site = new Site(read, config);
    },
    configureServer: async (server) => {
      ends.set(server.config, await siteOf().serve(server));
    },
    configurePreviewServer: async ({ middlewares }) => {
      await siteOf().mount(middlewares);
    },
    buildStart: async () => {
      if (siteOf().command === "build") await siteOf().tellTypes();
    },
    resolveId: (id) => (id === pageModuleId ? resolvedId : undefined),
    async load(id) {
      if (id !== resolvedId) return undefined;
      if (siteOf().command === "build") {
        for (const file of await siteOf().files()) this.addWatchFile(file);
      }
      return { code: await siteOf().pageModule(), moduleSideEffects: false };
    },
    async generateBundle() {
      const script = this.environment.name === "client" ? siteOf().script : undefined;
      for (const [fileName, source] of (await script?.()) ?? []) {
        this.emitFile({ type: "asset", fileName, source });
      }
    },
    closeBundle() {
      ends.get(this.environment.getTopLevelConfig())?.();
    },
  };
}

/** The package's modules that pages import, by the part of the plugin's own address that locates them. */
const entries: Readonly<Record<string, string>> = {
  backlot: "../../index.ts",
  "backlot/browser": "../page/browser/index.ts",
  "backlot/worker": "../page/worker/index.ts",
};

/** If the plugin runs from its source, so do pages. */
const fromSource = import.meta.url.endsWith(".ts");

/** Vite prebundles what a page needs: finding it late would reload the page. */
function configFor({ mode }: PluginOptions): Omit<UserConfig, "plugins"> {
  const needed =
    mode === "msw" ? ["backlot", "backlot/browser"] : mode === "worker" ? ["backlot/worker"] : [];
  if (needed.length === 0) return {};
  const alias = needed.map((name) => ({
    find: new RegExp(`^${name}$`),
    replacement: fileURLToPath(new URL(entries[name] ?? "", import.meta.url)),
  }));
  return {
    optimizeDeps: { include: needed, ...(fromSource ? { force: true } : {}) },
    ...(fromSource ? { resolve: { alias } } : {}),
  };
}
