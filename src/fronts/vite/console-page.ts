import type { ServerResponse } from "node:http";
import type { Connect, ViteDevServer } from "vite";
import type { BacklotMode } from "./options.ts";
import { pageModuleId } from "./page-module.ts";

/** The console of any session. */
const consolePath = /^\/(?:@[^/]+\/)?__backlot\/?$/;

/** Starts the worker, which answers here from then on. */
const starting = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Backlot</title></head>
  <body>
    <p>Starting the service worker.</p>
    <script type="module">
      import { start } from "${pageModuleId}";
      start().then(
        () => location.reload(),
        (error) => document.querySelector("p").append(" ", error.message),
      );
    </script>
  </body>
</html>`;

/**
 * Answers at the console's address if no worker does: before a page has started one, or if none ever will. Otherwise
 * Vite would send the app's own page.
 */
export function serveConsolePage(
  server: ViteDevServer,
  mode: BacklotMode,
): Connect.NextHandleFunction {
  const { base } = server.config;
  return (request, response, next) => {
    const [path = ""] = (request.url ?? "").split("?");
    if (request.method !== "GET" || !consolePath.test(path)) return next();
    if (mode === "worker" && base === "/") {
      const page = server.transformIndexHtml("/__backlot/", starting);
      return void page.then((text) => send(text, response), next);
    }
    const why =
      mode === "worker"
        ? `In mode worker the console needs the Vite base "/", but it is "${base}".`
        : `In mode ${mode} there is no console, since each page has its own emulator. Modes server and worker have one.`;
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end(`${why}\n`);
  };
}

function send(page: string, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
}
