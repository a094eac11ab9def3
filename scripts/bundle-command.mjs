// Packs the command into few files, out of what tsc built. Finding and reading each of the 120 modules of a start
// costs Node about 0.2 ms: a start takes 1.5 times as long as a bare node:http server with this, 1.9 times without.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const entry = resolve(dist, "cli/bin.js");

/** The modules that every start loads, up to its first answer. What else there is stays in chunks of its own. */
const needed = new Set();
for (const name of ["cli/bin.js", "cli/start.js", "cli/pretty-log.js", "rest/document/stages.js"]) {
  addWithImports(resolve(dist, name));
}

function addWithImports(file) {
  if (needed.has(file)) return;
  needed.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/^(?:im|ex)port\b[^;]*?\bfrom "(\.[^"]+)"/gm);
  for (const [, name] of imports) addWithImports(resolve(dirname(file), name));
}

const bundle = await rolldown({
  input: { backlot: entry },
  platform: "node",
  logLevel: "silent",
  external: (id) => !id.startsWith(".") && !id.startsWith(dist),
});
await bundle.write({
  dir: resolve(dist, "bin"),
  format: "esm",
  chunkFileNames: "[name].js",
  codeSplitting: { groups: [{ name: "start", test: (id) => id !== entry && needed.has(id) }] },
});
