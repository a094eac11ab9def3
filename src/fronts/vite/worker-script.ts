import type { ServerResponse } from "node:http";
import type { Connect } from "vite";
import { mswWorkerScript, ownWorkerScript, type WorkerScript } from "../node/worker-scripts.ts";
import type { BacklotMode } from "./options.ts";

/** Loads the files of a service worker. Rejects with `ERR_PACKAGE_MISSING`. */
export type LoadScript = () => Promise<WorkerScript>;

/** The service worker of a mode; undefined if it has none. For msw it is that of the project's own msw. */
export function workerScript(mode: BacklotMode, root: string): LoadScript | undefined {
  if (mode === "worker") return () => ownWorkerScript();
  return mode === "msw" ? () => mswWorkerScript(root) : undefined;
}

/** The names that a file of a script can have, so that no other request waits for the disk. */
const scriptName = /^(?:mockServiceWorker|backlot-worker(?:\/[\w-]+)?)\.js$/;

/**
 * Serves the script below Vite's base, so that it may answer the pages there. It is read each time, since its version
 * must match the page's code.
 */
export function serveScript(load: LoadScript, base: string): Connect.NextHandleFunction {
  return (request, response, next) => {
    const [path = ""] = (request.url ?? "").split("?");
    const name = path.slice(base.length);
    if (!path.startsWith(base) || !scriptName.test(name)) return next();
    const answer = (text: string | undefined): void =>
      text === undefined ? next() : send(text, base, response);
    load().then((files) => answer(files.get(name)), next);
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
