import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type OutputFile } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Files of a site, by the path that they are asked for with. */
export type SiteFiles = ReadonlyMap<string, Uint8Array | string>;

const settings = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "browser",
  target: "es2023",
  outdir: "/site",
  entryNames: "[name]",
  logLevel: "error",
  alias: { "backlot/browser": "./src/fronts/page/browser/index.ts" },
} as const satisfies BuildOptions;

/**
 * Bundles modules of the project for a browser. Paths are below the project; `src/fronts/page/browser/index.ts` becomes
 * `/index.js`. What is imported late lies in files of its own.
 */
export async function bundleFor(entries: readonly string[]): Promise<SiteFiles> {
  const built = await build({ ...settings, entryPoints: [...entries], write: false });
  return siteOf(built.outputFiles);
}

/** Bundles the text of a module, as a user of the package would write it, to `/stdin.js`. */
export async function bundleText(contents: string): Promise<SiteFiles> {
  const built = await build({ ...settings, stdin: { contents, resolveDir: root }, write: false });
  return siteOf(built.outputFiles);
}

function siteOf(files: readonly OutputFile[]): SiteFiles {
  return new Map(files.map(({ path, contents }) => [path.replace(/^.*[\\/]/, "/"), contents]));
}
