import type { Plugin } from "vite";
import { bundleWorker } from "../../../scripts/worker/bundle-worker.ts";

/** Serves our own service worker as it is in the source: there may be no build, or an older one. */
export async function workerFromSource(base: string = "/"): Promise<Plugin> {
  const files = await bundleWorker();
  return {
    name: "worker-from-source",
    enforce: "pre",
    configureServer: ({ middlewares }) => {
      middlewares.use((request, response, next) => {
        const [path = ""] = (request.url ?? "").split("?");
        const file = path.startsWith(base) ? files.get(path.slice(base.length - 1)) : undefined;
        if (file === undefined) next();
        else response.setHeader("content-type", "text/javascript").end(file);
      });
    },
  };
}
