// Makes dist, one file for each entry of the package and chunks for what is loaded late: types, library, command, worker.
// The reference pages, which are made of the code, are there too.
// `npm run build -- executable` makes one file of the package and Node.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { makeConsole } from "./console/make-console.ts";
import { writeReference } from "./reference/pages.ts";
import { bundleWorker } from "./worker/bundle-worker.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = resolve(root, "src");
const dist = resolve(root, "dist");

/** The entries of the package, by the name of their file in dist. */
const entries: Readonly<Record<string, string>> = {
  index: "index.ts",
  msw: "fronts/msw/index.ts",
  browser: "fronts/page/browser/index.ts",
  worker: "fronts/page/worker/index.ts",
  node: "fronts/node/index.ts",
  vite: "fronts/vite/index.ts",
  vitest: "fronts/vitest/index.ts",
  contract: "fronts/vitest/contract.ts",
};

/**
 * Packages that the library and the command share, each in a file of its own in dist. An install has the part of them that
 * is used: 2 MB in place of 8.
 */
const sharedPackages: readonly SharedPackage[] = [
  // The package's main module takes five times as long to load.
  {
    name: "liquidjs",
    file: "liquid.js",
    code: 'export * from "liquidjs/dist/liquid.browser.mjs";',
  },
  {
    name: "@faker-js/faker/locale/en",
    file: "faker.js",
    code: 'export { faker } from "@faker-js/faker/locale/en";',
  },
  { name: "scslre", file: "scslre.js", code: 'export { analyse } from "scslre";' },
  {
    name: "undici",
    // The command is of CommonJS, and needs it at once when it records.
    file: "undici.cjs",
    code: ["Agent", "Pool", "ProxyAgent"]
      .map(
        (name) =>
          `export { default as ${name} } from "undici/lib/dispatcher/${fileOfClass(name)}";`,
      )
      .join("\n"),
  },
];

/** The file of a class of undici: `proxy-agent.js` has `ProxyAgent`. */
function fileOfClass(name: string): string {
  return `${name.replaceAll(/(?<=.)[A-Z]/g, "-$&").toLowerCase()}.js`;
}

interface SharedPackage {
  /** As it is imported. */
  readonly name: string;
  readonly file: string;
  /** What is used of it. */
  readonly code: string;
}

/** What pages of Vite's mode `msw` import, which nobody else does. */
const atOnce = resolve(source, "fronts/page/browser/at-once.ts");

/** The modules that every start of the command loads before its first answer. */
const neededAtStart = [
  "fronts/cli/bin.ts",
  "fronts/cli/start/start.ts",
  "core/tables/document/answer.ts",
  "core/emulator/journal/read-entry.ts",
];

/** The page weighs more than any other module, so the command has it from the library's file of it. */
const consoleOfLibrary: Plugin = {
  name: "console-of-library",
  resolveId: (id) =>
    id.endsWith("/console/page.ts") ? { id: "../chunks/page.js", external: true } : null,
};

/** Packages that are built in where they are used: an install is one package. */
const builtIn: readonly string[] = [
  "@cfworker/json-schema",
  "chokidar",
  "eventsource-parser",
  "jsonc-parser",
  "pure-rand",
  "sql.js",
];

/** The main file of jsonc-parser loads its parts in a way that no bundler can follow. */
const preferringModules = { mainFields: ["module", "main"] };

/** Whether an import stays one, since it is of Node or of a package that the user installs. */
function isExternalTo(packages: readonly string[]) {
  return (id: string, importer: string | undefined): boolean => {
    if (!isForeign(id) || sharedPackages.some(({ name }) => name === id)) return false;
    if (packages.some((name) => id === name || id.startsWith(`${name}/`))) return false;
    // What a package that is built in imports is built in with it.
    return isBuiltin(id) || importer?.includes("/node_modules/") !== true;
  };
}

/** A package of somebody else: installed with this one, or the user's own. */
function isForeign(id: string): boolean {
  return !id.startsWith(".") && !id.startsWith("/") && !id.startsWith(root);
}

function inputs(folder: string, extension: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).map(([name, file]) => [
      name,
      resolve(folder, file.replace(/\.ts$/, extension)),
    ]),
  );
}

/** Bundles the declarations that tsc wrote: editors and compilers read a dozen files in place of hundreds. */
async function buildTypes(): Promise<void> {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-b"], {
    cwd: root,
    stdio: "inherit",
  });
  const bundle = await rolldown({
    input: inputs(resolve(root, ".tsbuild/types"), ".d.ts"),
    plugins: [dts({ dtsInput: true, sourcemap: false, tsconfig: false })],
    external: isForeign,
  });
  await bundle.write({ dir: dist, format: "esm", chunkFileNames: "types/[name].js" });
  copyFileSync(resolve(source, "fronts/vite/client.d.ts"), resolve(dist, "vite-client.d.ts"));
}

/** The modules that the first request of chat loads. */
const neededByChat = [
  "core/chat/answer-scene.ts",
  "core/chat/complete-chat.ts",
  "core/chat/request/request-rules.ts",
];

/**
 * What is loaded together, in this order: an emulator, its fixtures, and what answers the first request of each
 * interface. A module is in the file of the first that needs it. Without this, each set of entries that share modules
 * has a file, and each of the 33 that a test loads before its first answer takes 0.5 ms.
 */
const loadedTogether: readonly (readonly [file: string, needs: readonly string[]])[] = [
  ["emulator", ["index.ts", "core/emulator/journal/read-entry.ts", "core/emulator/access.ts"]],
  ["fixtures", ["core/emulator/readers.ts", "core/fixture-set/tables-document.ts"]],
  ["tables", ["core/tables/document/answer.ts"]],
  ["chat", neededByChat],
];

/** Its entry has no emulator: what it shares with others is a file of its own. */
const withoutEmulator = ["fronts/page/worker/index.ts"];

/** The file of each module that a test's first answers need. Entries keep their own. */
function filesOfModules(): ReadonlyMap<string, string> {
  const light = modulesBelow(withoutEmulator);
  const fileOf = new Map<string, string>();
  for (const [file, needs] of loadedTogether) {
    for (const module of modulesBelow(needs)) {
      if (!fileOf.has(module)) fileOf.set(module, light.has(module) ? "base" : file);
    }
  }
  for (const entry of Object.values(entries)) fileOf.delete(resolve(source, entry));
  return fileOf;
}

async function buildLibrary(): Promise<void> {
  const fileOf = filesOfModules();
  // In the order of their imports: a group takes along what its modules import, unless an earlier one has it.
  const files = ["base", ...loadedTogether.map(([name]) => name)];
  const bundle = await rolldown({
    input: { ...inputs(source, ".ts"), "at-once": atOnce },
    platform: "neutral",
    resolve: preferringModules,
    plugins: [shared, sqlite],
    // What one entry loads late, another has from the start.
    checks: { ineffectiveDynamicImport: false },
    external: isExternalTo(builtIn),
  });
  await bundle.write({
    dir: dist,
    format: "esm",
    chunkFileNames: "chunks/[name].js",
    // Editors show what the types say.
    comments: { jsdoc: false },
    codeSplitting: {
      groups: files.map((name) => ({ name, test: (id) => fileOf.get(id) === name })),
    },
  });
}

/** The licences of what is built in. */
function copyLicences(): void {
  for (const name of [
    "@eslint-community/regexpp",
    "@faker-js/faker",
    "chokidar",
    "commander",
    "cross-spawn",
    "eventsource-parser",
    "fflate",
    "idb-keyval",
    "isexe",
    "json5",
    "jsonc-parser",
    "liquidjs",
    "path-key",
    "preact",
    "pure-rand",
    "readdirp",
    "refa",
    "regexp-ast-analysis",
    "scslre",
    "shebang-command",
    "shebang-regex",
    "sql.js",
    "undici",
    "which",
    "yaml",
  ]) {
    const folder = resolve(root, "node_modules", name);
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one)) ?? "LICENSE";
    copyFileSync(resolve(folder, file), resolve(dist, `licences/${name.replace("/", "-")}.txt`));
  }
  // Packages that ship no text of their licence.
  cpSync(resolve(root, "scripts/licences"), resolve(dist, "licences"), { recursive: true });
}

/** Modules of the source, with all that they import at once. */
function modulesBelow(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    const text = readFileSync(file, "utf8");
    const imports = text.matchAll(/^(?:im|ex)port\b(?! type\b)[^;]*?\bfrom "(\.[^"]+)"/gm);
    for (const [, name = ""] of imports) add(resolve(dirname(file), name));
  };
  for (const name of names) {
    const file = resolve(source, name);
    if (!existsSync(file))
      throw new Error(`${name} is gone. It was loaded before the first answer.`);
    add(file);
  }
  return found;
}

/** Turns late imports of what every start needs into early ones: each would be a file of its own, and 0.7 ms. */
function importNow(needed: ReadonlySet<string>): Plugin {
  return {
    name: "import-now",
    transform(code, id) {
      if (!needed.has(id)) return null;
      const early: string[] = [];
      const changed = code.replaceAll(/\bimport\(\s*"(\.[^"]+)",?\s*\)/g, (late, name: string) => {
        if (!needed.has(resolve(dirname(id), name))) return late;
        early.push(`import * as early${early.length} from "${name}";`);
        return `Promise.resolve(early${early.length - 1})`;
      });
      return early.length === 0 ? null : { code: [...early, changed].join("\n") };
    },
  };
}

/** Packages that are built into the command alone. */
const ofCommand: readonly string[] = ["commander", "cross-spawn", "fflate", "json5", "yaml"];

/**
 * The command in few files, with commander in it. Finding and reading each of the 210 modules of a start costs Node about
 * 0.2 ms: unbundled, a start takes 1.9 times as long as that of a bare node:http server.
 */
async function buildCommand(): Promise<void> {
  const needed = modulesBelow(neededAtStart);
  const chat = modulesBelow(neededByChat);
  const bin = resolve(source, "fronts/cli/bin.ts");
  const bundle = await rolldown({
    input: { backlot: bin },
    platform: "node",
    resolve: preferringModules,
    plugins: [shared, sqlite, consoleOfLibrary, importNow(needed)],
    external: isExternalTo([...builtIn, ...ofCommand]),
  });
  await bundle.write({
    dir: resolve(dist, "command"),
    // Node reads one CommonJS module sooner than it links several.
    format: "cjs",
    chunkFileNames: "[name].js",
    // Half of the text is what Node need not read. Functions keep their names, for the stack of a bug.
    minify: {
      mangle: { toplevel: false, keepNames: true },
      compress: true,
      codegen: { removeWhitespace: true },
    },
    codeSplitting: {
      groups: [
        { name: "start", test: (id) => id !== bin && (needed.has(id) || commander.test(id)) },
        { name: "chat", test: (id) => chat.has(id) && !needed.has(id) },
      ],
    },
  });
  const at = (name: string): string => resolve(dist, "command", name);
  writeFileSync(at("package.json"), '{ "type": "commonjs" }\n');
  writeFileSync(at("start-code.js"), escaped(readFileSync(at("start.js"), "utf8")));
  copyFileSync(resolve(root, "scripts/command/start.cjs"), at("start.js"));
}

/** Code in ASCII alone: V8 keeps a text with a character beyond Latin-1 with two bytes for each. */
function escaped(code: string): string {
  return code.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const commander = /[\\/]node_modules[\\/]commander[\\/]/;

/** SQLite's loader finds its WebAssembly beside itself. Of what sql.js ships, 0.7 MB of 30 are in the package. */
const sqlite: Plugin = {
  name: "sqlite",
  resolveId: (id) => (id === "sql.js" ? { id: "../sqlite/sql-wasm.cjs", external: true } : null),
};

/** The thread that runs dumps, beside SQLite's loader. */
async function buildDumpWorker(): Promise<void> {
  const bundle = await rolldown({
    input: resolve(source, "fronts/node/dump-worker.ts"),
    platform: "node",
    plugins: [sqlite],
    external: isExternalTo(builtIn),
  });
  await bundle.write({
    file: resolve(dist, "sqlite/dump-worker.cjs"),
    format: "cjs",
    minify: { mangle: true, compress: true, codegen: { removeWhitespace: true } },
    codeSplitting: false,
  });
}

function copySqlite(): void {
  mkdirSync(resolve(dist, "sqlite"));
  const from = resolve(root, "node_modules/sql.js/dist");
  copyFileSync(resolve(from, "sql-wasm.js"), resolve(dist, "sqlite/sql-wasm.cjs"));
  copyFileSync(resolve(from, "sql-wasm.wasm"), resolve(dist, "sqlite/sql-wasm.wasm"));
}

/** Chunks and the command are in folders beside the shared packages. */
const shared: Plugin = {
  name: "shared",
  resolveId: (id) => {
    const found = sharedPackages.find(({ name }) => name === id);
    return found === undefined ? null : { id: `../${found.file}`, external: true };
  },
};

async function buildSharedPackages(): Promise<void> {
  for (const { file, code } of sharedPackages) {
    const entry = "used-part";
    const bundle = await rolldown({
      input: { [entry]: entry },
      cwd: root,
      platform: "node",
      plugins: [
        {
          name: entry,
          resolveId: (id) => (id === entry ? resolve(root, `${entry}.js`) : null),
          load: (id) => (id === resolve(root, `${entry}.js`) ? code : null),
        },
      ],
    });
    await bundle.write({
      file: resolve(dist, file),
      format: file.endsWith(".cjs") ? "cjs" : "esm",
      // Node does not see the names of exports in code whose expressions are rewritten.
      minify: { mangle: true, compress: false, codegen: { removeWhitespace: true } },
      codeSplitting: false,
    });
  }
}

async function buildWorker(): Promise<void> {
  for (const [path, text] of await bundleWorker()) {
    const file = resolve(dist, `worker-script${path}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

async function buildPackage(): Promise<void> {
  await makeConsole();
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(resolve(dist, "licences"), { recursive: true });
  await buildTypes();
  await buildSharedPackages();
  await buildLibrary();
  await buildCommand();
  await buildWorker();
  copySqlite();
  await buildDumpWorker();
  copyLicences();
  await writeReference(resolve(dist, "reference"));
}

const [name] = process.argv.slice(2);
if (name === "executable") {
  process.argv.splice(2, 1);
  await import("./executable.ts");
} else await buildPackage();
