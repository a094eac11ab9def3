import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { bundleWorker } from "../../../scripts/worker/bundle-worker.ts";
import { bundleFor, type SiteFiles } from "./bundle.ts";

/** A page that runs one module. */
export function pageRunning(script: string): string {
  return `<!doctype html><title>Backlot</title><script type="module" src="${script}"></script>`;
}

/** The worker script of the msw that is installed. */
export function mswScript(): Promise<string> {
  return readFile(createRequire(import.meta.url).resolve("msw/mockServiceWorker.js"), "utf8");
}

/** The site of all browser tests: a page whose script does what tests tell it, and msw's worker. */
export async function siteFiles(): Promise<SiteFiles> {
  const [bundle, worker, ownWorker, observedWorker] = await Promise.all([
    bundleFor([
      "test/support/browser/page/remote.ts",
      "test/support/browser/page/own-remote.ts",
      "test/support/browser/page/idle.ts",
    ]),
    mswScript(),
    bundleWorker(),
    bundleWorker("test/support/browser/worker/observed-worker.ts"),
  ]);
  const sqlite = readFileSync(
    new URL("../../../node_modules/sql.js/dist/sql-wasm-browser.wasm", import.meta.url),
  );
  return new Map<string, Uint8Array | string>([
    ...bundle,
    ["/index.html", pageRunning("/remote.js")],
    ["/mockServiceWorker.js", worker],
    ["/mocks/mockServiceWorker.js", worker],
    ...ownWorker,
    ...[...observedWorker].map(([path, text]) => [`/own${path}`, text] as const),
    // What reads the dumps of recorded cases, beside the script that loads it.
    ["/sql-wasm-browser.wasm", sqlite],
    ["/own/sql-wasm-browser.wasm", sqlite],
    ["/alone/index.html", pageRunning("/own-remote.js")],
    ["/alone/backlot-worker.js", ownWorker.get("/backlot-worker.js") ?? ""],
    ["/own/fixtures.json", JSON.stringify({ tables: { users: [{ id: 1, name: "Ada" }] } })],
    ["/own/idle.html", pageRunning("/idle.js")],
    ["/own/index.html", pageRunning("/own-remote.js")],
  ]);
}
