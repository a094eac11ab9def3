import type { Plugin } from "vite";
import { bundleWorker } from "../../../scripts/worker/bundle-worker.ts";

/** Serves our own service worker as it is in the source: there may be no build, or an older one. */
export async function workerFromSource(): Promise<Plugin> {
  const files = await bundleWorker();
  return {
    name: "worker-from-source",
    enforce: "pre",
    configureServer: ({ middlewares }) => {
      middlewares.use((request, response, next) => {
        const file = files.get(request.url?.split("?")[0] ?? "");
        if (file === undefined) next();
        else response.setHeader("content-type", "text/javascript").end(file);
      });
    },
  };
}
