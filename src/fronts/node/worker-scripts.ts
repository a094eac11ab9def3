import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { packageRoot } from "./package-root.ts";

/** The files that browsers register as service workers. */
export const workerScriptNames = {
  msw: "mockServiceWorker.js",
  worker: "backlot-worker.js",
} as const;

/** A service worker's script and the files that it imports: texts by name, relative to the folder of the script. */
export type WorkerScript = ReadonlyMap<string, string>;

/** Our own script, made by the build. It is beside both `src` and `dist`. */
const builtFolder: string = join(packageRoot, "dist/worker-script/");

/** Reads our own service worker. Rejects with `ERR_PACKAGE_MISSING` in a checkout without a build. */
export async function ownWorkerScript(folder: string = builtFolder): Promise<WorkerScript> {
  try {
    const parts = await readdir(join(folder, "backlot-worker"));
    const names = [workerScriptNames.worker, ...parts.map((part) => `backlot-worker/${part}`)];
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    return new Map(names.map((name, at) => [name, texts[at] ?? ""]));
  } catch (cause) {
    throw new EmulatorError(
      "ERR_PACKAGE_MISSING",
      `Cannot read the service worker: it is not in ${folder}. In a checkout, build it: npm run build.`,
      { cause },
    );
  }
}

/** Reads the service worker of the msw that code in a folder would load. Rejects with `ERR_PACKAGE_MISSING`. */
export async function mswWorkerScript(folder: string): Promise<WorkerScript> {
  const name = workerScriptNames.msw;
  try {
    const path = createRequire(join(folder, "package.json")).resolve(`msw/${name}`);
    return new Map([[name, await readFile(path, "utf8")]]);
  } catch (cause) {
    throw new EmulatorError(
      "ERR_PACKAGE_MISSING",
      "Cannot read the worker script of msw: the package msw is not installed here. " +
        "Install it: npm install --save-dev msw.",
      { cause },
    );
  }
}
