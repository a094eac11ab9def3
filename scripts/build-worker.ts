// Bundles our own service worker (src/fronts/page/worker/script) and writes it to dist/fronts/page/worker.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWorker } from "./worker/bundle-worker.ts";

const folder = fileURLToPath(new URL("../dist/fronts/page/worker", import.meta.url));
for (const [path, text] of await bundleWorker()) {
  await mkdir(dirname(folder + path), { recursive: true });
  await writeFile(folder + path, text);
}
