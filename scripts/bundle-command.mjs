// Packs the command and commander into few files, out of what tsc built. Finding and reading each of the 210 modules
// of a start costs Node about 0.2 ms.
import { copyFileSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const entry = resolve(dist, "fronts/cli/bin.js");

/** The modules that every start loads, up to its first answer. What else there is stays in chunks of its own. */
const needed = new Set();
for (const name of [
  "fronts/cli/bin.js",
  "fronts/cli/start/start.js",
  "fronts/cli/log/pretty-log.js",
  "fronts/cli/log/json-log.js",
  "core/rest/document/stages.js",
  "core/chat/scripts/json-format.js",
]) {
  addWithImports(resolve(dist, name));
}

function addWithImports(file) {
  if (needed.has(file)) return;
  needed.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/^(?:im|ex)port\b[^;]*?\bfrom "(\.[^"]+)"/gm);
  for (const [, name] of imports) addWithImports(resolve(dirname(file), name));
}

/** Makes a late import of what is in the same file an early one, which else costs a file of its own: 0.7 ms each. */
const importNow = {
  name: "import-now",
  transform(code, id) {
    if (!needed.has(id)) return null;
    const early = [];
    const changed = code.replace(/\bimport\("(\.[^"]+)"\)/g, (late, name) => {
      if (!needed.has(resolve(dirname(id), name))) return late;
      early.push(`import * as early${early.length} from "${name}";`);
      return `Promise.resolve(early${early.length - 1})`;
    });
    return early.length === 0 ? null : { code: [...early, changed].join("\n") };
  },
};

/** Whether a module is commander's, as it is imported or by its path. */
function isCommander(id) {
  return id === "commander" || /[\\/]node_modules[\\/]commander[\\/]/.test(id);
}

const bundle = await rolldown({
  input: { backlot: entry },
  platform: "node",
  plugins: [importNow],
  logLevel: "silent",
  external: (id) => {
    // The tokenizer is megabytes large: the command uses the file of the library.
    if (id.endsWith("/bpe-tokenizer.js")) return true;
    return !id.startsWith(".") && !id.startsWith(dist) && !isCommander(id);
  },
});
await bundle.write({
  dir: resolve(dist, "fronts/bin"),
  format: "esm",
  chunkFileNames: "[name].js",
  // Half of the text is what Node need not read. Functions keep their names, for the stack of a bug.
  minify: {
    mangle: { toplevel: false, keepNames: true },
    compress: true,
    codegen: { removeWhitespace: true },
  },
  codeSplitting: {
    groups: [{ name: "start", test: (id) => id !== entry && (needed.has(id) || isCommander(id)) }],
  },
});
copyFileSync(
  fileURLToPath(new URL("../node_modules/commander/LICENSE", import.meta.url)),
  resolve(dist, "fronts/bin/commander.LICENSE"),
);
