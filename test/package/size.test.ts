import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { expect, test } from "vitest";
import { bundleWorker } from "../../scripts/worker/bundle-worker.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a page loads before it can use an entry, and what only later. */
interface Weighed {
  /** In bytes, packed by gzip as servers send it. */
  readonly gzip: number;
  /** The modules of it. */
  readonly first: readonly string[];
  /** Those that are loaded late, if at all. */
  readonly later: readonly string[];
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
    first: modulesOf(metafile, (name) => loaded.includes(name)),
    later: modulesOf(metafile, (name) => !loaded.includes(name)),
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

function modulesOf({ outputs }: Metafile, isWanted: (name: string) => boolean): readonly string[] {
  return Object.entries(outputs).flatMap(([name, { inputs }]) =>
    isWanted(name) ? Object.keys(inputs) : [],
  );
}

/** Bundled once for all tests. */
const weighed: Promise<Weighed> = weigh("src/fronts/page/browser/index.ts");

/**
 * Half a kilobyte notes what is answered, for the journal; what reads it is loaded late. One kilobyte has the rows of
 * what only the profile openai answers; how it answers is loaded late. Two kilobytes let foreign keys act and check rows.
 * One and a half read requests of any make, and name statuses as HTTP does. One keeps what
 * was seen when fixtures are loaded again.
 */
const browserLimit = 58 * 1024;

/** What most pages never use, or only some time after they began. */
const late: readonly (readonly [what: string, modules: RegExp])[] = [
  ["templates", /liquidjs|src\/core\/template\/(renderer|engine|check-template)/],
  ["faker", /@faker-js/],
  ["tokenizers", /tokens\/bpe-tokenizer/],
  ["what reads the journal", /journal\/(read-entry|response)/],
  ["readers of fixtures", /src\/core\/fixture-set\/(format|scripts|read-|config-)/],
  ["the tables' answers", /src\/(core\/tables\/document|extras\/starbasedb\/plan)/],
  ["chat's answers", /src\/core\/chat\/(answer-chat|complete-chat|wire)/],
  ["the Responses API", /src\/extras\/responses\/(?!endpoints)/],
  ["the control API", /src\/core\/(control\/(answer|routes|openapi)|emulator\/state\/)/],
];

test.each(late)("backlot/browser loads %s only when they are used", async (_, modules) => {
  const { first, later } = await weighed;
  expect(first.filter((path) => modules.test(path))).toEqual([]);
  expect(later.filter((path) => modules.test(path))).not.toEqual([]);
});

test("backlot/browser is at most 58 KB to load, without msw", async () => {
  const { gzip } = await weighed;
  expect(gzip).toBeLessThanOrEqual(browserLimit);
});

const workerLimit = 60 * 1024;

test("the own worker's script is at most 60 KB, and has templates and faker in parts of their own", async () => {
  const files = await bundleWorker();
  const script = files.get("/backlot-worker.js") ?? "";
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(workerLimit);
  expect([...files.keys()].toSorted()).toEqual([
    "/backlot-worker.js",
    "/backlot-worker/chat.js",
    "/backlot-worker/control.js",
    "/backlot-worker/faker.js",
    "/backlot-worker/more.js",
    "/backlot-worker/start.js",
    "/backlot-worker/templates.js",
  ]);
  expect(script).toMatch(/^\/\* backlot-worker \d/);
});
