import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Files of a site, by the path that they are asked for with. */
export type SiteFiles = ReadonlyMap<string, Uint8Array | string>;

const alias = { "backlot/browser": join(root, "src/fronts/page/browser/index.ts") };

/** Large, and loaded by few tests. */
const late =
  /[\\/]node_modules[\\/](?:@faker-js|liquidjs|scslre|refa|regexp-ast-analysis|sql\.js|graphql)[\\/]/;

/**
 * Bundles modules of the project for a browser. Paths are below the project; `src/fronts/page/browser/index.ts` becomes
 * `/index.js`. All but what is large is in one file: a hundred small ones take a page half a second.
 */
export async function bundleFor(entries: readonly string[]): Promise<SiteFiles> {
  const inputs = new Set(entries.map((entry) => join(root, entry)));
  const bundle = await rolldown({
    cwd: root,
    input: [...inputs],
    platform: "browser",
    resolve: { alias },
    logLevel: "silent",
  });
  const { output } = await bundle.generate({
    format: "esm",
    entryFileNames: "[name].js",
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: "all", test: (id) => !inputs.has(id) && !late.test(id) }],
    },
  });
  await bundle.close();
  return new Map(
    output.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : file.source]),
  );
}

/** Bundles the text of a module, as a user of the package would write it, to `/stdin.js`. */
export async function bundleText(contents: string): Promise<SiteFiles> {
  const built = await build({
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    outdir: "/site",
    entryNames: "[name]",
    logLevel: "error",
    alias,
    stdin: { contents, resolveDir: root },
    write: false,
  });
  return new Map(built.outputFiles.map(({ path, contents: text }) => [`/${basename(path)}`, text]));
}
