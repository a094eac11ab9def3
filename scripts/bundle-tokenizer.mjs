// Puts what is used of gpt-tokenizer into what tsc built: two vocabularies, of eight in three forms each. Whoever
// installs the package gets 3 MB in place of 27, and a package less.
import { copyFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = resolve(root, "dist/core/chat/tokens");

/** Each encoding with its vocabulary is a file, and so is what they share. */
function fileOf(id) {
  return /\/gpt-tokenizer\/esm\/(?:encoding|bpeRanks)\/(\w+)\.js$/.exec(id)?.[1] ?? "gpt-tokenizer";
}

const bundle = await rolldown({
  input: resolve(folder, "bpe-tokenizer.js"),
  platform: "neutral",
  logLevel: "silent",
  external: (id, importer) => id.startsWith(".") && importer?.startsWith(folder) === true,
});
await bundle.write({
  dir: folder,
  format: "esm",
  chunkFileNames: "[name].js",
  minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
  codeSplitting: {
    groups: [{ name: fileOf, test: /\/gpt-tokenizer\// }],
    includeDependenciesRecursively: false,
  },
});
copyFileSync(
  resolve(root, "node_modules/gpt-tokenizer/LICENSE"),
  resolve(folder, "gpt-tokenizer.LICENSE"),
);
