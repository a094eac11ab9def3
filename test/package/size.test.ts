import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a page loads before it can use an entry, and what only later. */
interface Weighed {
  /** In bytes, packed by gzip as servers send it. */
  readonly gzip: number;
  /** The modules of it. */
  readonly modules: readonly string[];
}

/** Weighs an entry with all that it imports statically, without msw. Late imports are in files of their own. */
async function weigh(entry: string): Promise<Weighed> {
  const { metafile, outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    splitting: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    outdir: "out",
    external: ["msw"],
    metafile: true,
    logLevel: "silent",
  });
  const loaded = loadedFirst(metafile, entry);
  const parts = outputFiles.filter(({ path }) =>
    loaded.some((name) => path.replaceAll("\\", "/").endsWith(`/${name}`)),
  );
  return {
    // Bundlers of applications put what is loaded together into one file; esbuild makes one for each set of users.
    gzip: gzipSync(Buffer.concat(parts.map(({ contents }) => contents)), { level: 9 }).length,
    modules: loaded.flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {})),
  };
}

/** The files that an entry's file imports, and those that they import. */
function loadedFirst({ outputs }: Metafile, entry: string): readonly string[] {
  const [first] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const { path, kind, external } of outputs[name]?.imports ?? []) {
      if (kind === "import-statement" && external !== true) add(path);
    }
  };
  if (first !== undefined) add(first);
  return [...found];
}

const browserLimit = 45 * 1024;

test("backlot/browser loads templates, faker, tokenizers and chat only when they are used", async () => {
  const { modules } = await weigh("src/browser/index.ts");
  expect(modules).toContain("src/browser/start-worker.ts");
  const late =
    /node_modules\/(liquidjs|@faker-js|gpt-tokenizer|sqlite3-parser)|answer-chat|answer-control/;
  expect(modules.filter((path) => late.test(path))).toEqual([]);
});

// Too much as long as the readers of fixtures and the tables' answers are loaded at once.
test.fails("backlot/browser is at most 45 KB to load, without msw", async () => {
  const { gzip } = await weigh("src/browser/index.ts");
  expect(gzip).toBeLessThanOrEqual(browserLimit);
});
