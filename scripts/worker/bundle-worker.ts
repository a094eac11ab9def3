import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";
import { minify } from "rolldown/utils";
import { version } from "../../src/core/emulator/version.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ownEntry = "src/fronts/page/worker/script/backlot-worker.ts";
const mainName = "backlot-worker.js";

/** The name of a file below the script's folder, and which late imports it is for: the first that fits has them. */
const files: readonly (readonly [file: string, of: RegExp])[] = [
  ["chat", /core\/chat\/(?!scripts\/|fail)/],
  ["control", /core\/control\/|core\/emulator\/(?:control|state)\/|extras\/console\//],
  ["faker", /@faker-js/],
  ["regex", /re2js|core\/regex\/linear/],
  ["templates", /liquidjs|core\/template\/|check-templates/],
  ["more", /./],
];

/** Loaded only by those who ask for them. */
const optional: readonly string[] = ["templates", "faker", "regex"];

/** What has no place in a worker: megabytes of vocabulary. */
const tooLarge = /^gpt-tokenizer\//;

function without(leftOut: RegExp): Plugin {
  return {
    name: "left-out",
    resolveId: (id) => (leftOut.test(id) ? `\0${id}` : null),
    load: (id) => (id.startsWith("\0") && leftOut.test(id.slice(1)) ? "export {}" : null),
  };
}

/**
 * Bundles our own service worker's script: `backlot-worker.js` and, in a folder beside it, the parts that are needed
 * late. Gives the files by their paths.
 */
export async function bundleWorker(entry: string = ownEntry): Promise<ReadonlyMap<string, string>> {
  const fileOf = placeModules(await chunksOf(entry));
  const groups = ["core", ...files.map(([file]) => file)].map((name) => ({
    name,
    test: (id: string) => fileOf.get(id) === name,
  }));
  const chunks = await chunksOf(entry, groups);
  const texts = new Map<string, string>();
  const partOf = new Map<string, string>();
  for (const { fileName, code, isEntry } of chunks) {
    const name = fileName.replace(/\.js$/, "");
    const file = isEntry || !files.some(([one]) => one === name) ? "core" : name;
    partOf.set(fileName, file);
    const text = `parts[${JSON.stringify(fileName)}] = function (require, module, exports) {\n${code}\n};\n`;
    texts.set(file, (texts.get(file) ?? "") + text);
  }
  const made = new Map<string, string>();
  for (const [file, text] of texts) {
    if (file === "core") {
      const whole = `${await loader(partOf)}\n${text}\nrequire("./${mainName}");`;
      made.set(`/${mainName}`, await packed(whole));
    } else {
      const whole = `const parts = self.backlotParts;\n${text}`;
      made.set(`/backlot-worker/${file}.js`, await packed(whole));
    }
  }
  return made;
}

type Groups = readonly { readonly name: string; readonly test: (id: string) => boolean }[];

async function chunksOf(entry: string, groups: Groups = []): Promise<readonly OutputChunk[]> {
  const bundle = await rolldown({
    input: { "backlot-worker": `${root}${entry}` },
    platform: "browser",
    cwd: root,
    logLevel: "silent",
    plugins: [without(tooLarge)],
    shimMissingExports: true,
    preserveEntrySignatures: false,
  });
  const { output } = await bundle.generate({
    format: "cjs",
    chunkFileNames: "[name].js",
    minifyInternalExports: true,
    ...(groups.length === 0
      ? {}
      : { codeSplitting: { groups: [...groups], includeDependenciesRecursively: false } }),
  });
  await bundle.close();
  return output.filter((one): one is OutputChunk => one.type === "chunk");
}

/** Which file each module is in: that of the first late import that needs it. */
function placeModules(chunks: readonly OutputChunk[]): ReadonlyMap<string, string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const placed = new Set<string>();
  const fileOf = new Map<string, string>();
  const place = (name: string, file: string): void => {
    const chunk = byName.get(name);
    if (chunk === undefined || placed.has(name)) return;
    placed.add(name);
    for (const id of chunk.moduleIds) fileOf.set(id, file);
    for (const imported of chunk.imports) place(imported, file);
  };
  place(mainName, "core");
  for (const [file, of] of files) {
    for (const { fileName, facadeModuleId, isDynamicEntry } of chunks) {
      if (isDynamicEntry && of.test(facadeModuleId ?? "")) place(fileName, file);
    }
  }
  return fileOf;
}

async function loader(fileOf: ReadonlyMap<string, string>): Promise<string> {
  const late = [...fileOf].filter(([, file]) => file !== "core");
  const names = files.map(([file]) => file);
  const constants = {
    version,
    folder: "backlot-worker",
    fileOf: Object.fromEntries(late),
    always: names.filter((file) => !optional.includes(file)),
    optional,
  };
  const lines = Object.entries(constants).map(
    ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
  );
  const text = await readFile(new URL("part-loader.js", import.meta.url), "utf8");
  return `${lines.join("\n")}\n${text}`;
}

async function packed(text: string): Promise<string> {
  // A function of its own, so that nothing of it is global.
  const { code, errors } = await minify(mainName, `(() => {\n${text}\n})();`, { sourcemap: false });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return `/* backlot-worker ${version} */\n${code}`;
}
