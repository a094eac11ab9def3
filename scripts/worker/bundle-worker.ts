import { createHash } from "node:crypto";
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
  ["chat", /core\/chat\/(?!scripts\/|fail|completion\/demanded|interface|endpoints|profiles)/],
  [
    "start",
    /core\/emulator\/(?:readers|journal\/)|core\/fixture-set\/tables-document|core\/tables\/document\//,
  ],
  ["control", /core\/control\/|core\/emulator\/(?:control|state)\/|extras\/console\//],
  ["faker", /@faker-js/],
  ["templates", /liquidjs|core\/template\/|check-templates/],
  ["more", /./],
];

/** Loaded only by those who ask for them. */
const optional: readonly string[] = ["templates", "faker"];

/** Loaded when first needed: their code is only ever imported late. */
const lateFiles: readonly string[] = ["control", "more"];

/** Always there, and so the place of what several late imports need. The first that needs it has it. */
const shared: readonly string[] = ["core", "chat", "start"];

/** What has no place in a worker, since only the command asks for it. */
const tooLarge = /^scslre$/;

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
    const text = `parts[${JSON.stringify(fileName)}] = function (require, module, exports, late) {\n${fetchedLate(code, file)}\n};\n`;
    texts.set(file, (texts.get(file) ?? "") + text);
  }
  const made = new Map<string, string>();
  for (const [file, text] of texts) {
    if (file === "core") continue;
    const whole = `const parts = self.backlotParts;\n${text}`;
    made.set(`/backlot-worker/${file}.js`, await packed(whole));
  }
  const hashes = lateFiles.map((file) => [
    file,
    createHash("sha256")
      .update(made.get(`/backlot-worker/${file}.js`) ?? "")
      .digest("hex")
      .slice(0, 12),
  ]);
  const start = await loader(partOf, Object.fromEntries(hashes));
  const whole = `${start}\n${texts.get("core") ?? ""}\nrequire("./${mainName}");`;
  return made.set(`/${mainName}`, await packed(whole));
}

/** The code of a chunk, whose late imports of late files wait for them. */
function fetchedLate(code: string, file: string): string {
  return lateFiles
    .filter((other) => other !== file)
    .reduce((before, other) => {
      const asked = `require("./${other}.js")`;
      const after = before.replaceAll(
        `Promise.resolve().then(() => ${asked})`,
        `late("./${other}.js")`,
      );
      if (after.includes(asked)) throw new Error(`The file ${file} needs ${other} at once.`);
      return after;
    }, code);
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

/** Which file each module is in. */
function placeModules(chunks: readonly OutputChunk[]): ReadonlyMap<string, string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const needing = new Map<string, Set<string>>();
  const reach = (name: string, file: string): void => {
    const known = needing.get(name) ?? new Set();
    if (known.has(file)) return;
    needing.set(name, known.add(file));
    for (const imported of byName.get(name)?.imports ?? []) reach(imported, file);
  };
  reach(mainName, "core");
  for (const { fileName, facadeModuleId, isDynamicEntry } of chunks) {
    const [file] = files.find(([, of]) => of.test(facadeModuleId ?? "")) ?? [];
    if (isDynamicEntry && file !== undefined) reach(fileName, file);
  }
  const fileOf = new Map<string, string>();
  for (const [name, by] of needing) {
    const [only = "core", ...others] = by;
    const file = shared.find((one) => by.has(one)) ?? (others.length === 0 ? only : "start");
    for (const id of byName.get(name)?.moduleIds ?? []) fileOf.set(id, file);
  }
  return fileOf;
}

async function loader(
  fileOf: ReadonlyMap<string, string>,
  late: Readonly<Record<string, string>>,
): Promise<string> {
  const others = [...fileOf].filter(([, file]) => file !== "core");
  const names = files.map(([file]) => file);
  const constants = {
    version,
    folder: "backlot-worker",
    fileOf: Object.fromEntries(others),
    always: names.filter((file) => !lateFiles.includes(file) && !optional.includes(file)),
    optional,
    hashes: late,
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
