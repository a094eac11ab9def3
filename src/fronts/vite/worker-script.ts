import { readFile, readdir } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Connect } from "vite";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { packageRoot } from "../node/package-root.ts";
import type { BacklotMode } from "./options.ts";

/** The files that browsers register as service workers. */
export const scriptNames = { msw: "mockServiceWorker.js", worker: "backlot-worker.js" } as const;

/** Our own service worker, made by the build. It is beside both `src` and `dist`. */
const ownFolder = join(packageRoot, "dist/worker-script/");

/** A service worker's script, and the files that it imports. */
export interface WorkerScript {
  /** Whether a file name belongs to it, relative to the script. */
  readonly has: (name: string) => boolean;
  /** The names of all its files. */
  readonly names: () => Promise<readonly string[]>;
  readonly read: (name: string) => Promise<string>;
}

/** The service worker of a mode; undefined if it has none. For msw it is that of the project's own msw. */
export function workerScript(mode: BacklotMode, root: string): WorkerScript | undefined {
  if (mode === "worker") return ownScript;
  if (mode !== "msw") return undefined;
  return {
    has: (name) => name === scriptNames.msw,
    names: async () => {
      await readMswScript(root);
      return [scriptNames.msw];
    },
    read: () => readMswScript(root),
  };
}

const ownScript: WorkerScript = {
  has: (name) => name === scriptNames.worker || /^backlot-worker\/[\w-]+\.js$/.test(name),
  names: async () => {
    const parts = await readdir(`${ownFolder}backlot-worker`).catch(missing);
    return [scriptNames.worker, ...parts.map((part) => `backlot-worker/${part}`)];
  },
  read: (name) => readFile(`${ownFolder}${name}`, "utf8").catch(missing),
};

function missing(cause: unknown): never {
  throw new EmulatorError(
    "ERR_PACKAGE_MISSING",
    `Cannot read the service worker: it is not in ${ownFolder}. In a checkout, build it: npm run build.`,
    { cause },
  );
}

/**
 * Serves the script below Vite's base, so that it may answer the pages there. It is read each time, since its version
 * must match the page's code.
 */
export function serveScript(script: WorkerScript, base: string): Connect.NextHandleFunction {
  return (request, response, next) => {
    const [path = ""] = (request.url ?? "").split("?");
    const name = path.slice(base.length);
    if (!path.startsWith(base) || !script.has(name)) return next();
    script.read(name).then((text) => send(text, base, response), next);
  };
}

function send(text: string, base: string, response: ServerResponse): void {
  response.writeHead(200, {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "no-cache, no-store",
    "service-worker-allowed": base,
  });
  response.end(text);
}

/** The worker script of the msw that code in a folder would load. Rejects with `ERR_PACKAGE_MISSING`. */
export async function readMswScript(folder: string): Promise<string> {
  try {
    const path = createRequire(join(folder, "package.json")).resolve("msw/mockServiceWorker.js");
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new EmulatorError(
      "ERR_PACKAGE_MISSING",
      "Cannot read the worker script of msw: the package msw is not installed here. " +
        "Install it: npm install --save-dev msw.",
      { cause },
    );
  }
}
