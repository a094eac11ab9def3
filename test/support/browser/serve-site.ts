import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SiteFiles } from "./bundle.ts";

/** A site on this machine, at an address that browsers take for secure. */
export interface Site {
  /** Such as `http://127.0.0.1:40001`, without a trailing slash. */
  readonly origin: string;
  readonly close: () => Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
};

/** Serves files by their paths, `/index.html` for folders. What is not among them is 404, with a page. */
export async function serveSite(files: SiteFiles): Promise<Site> {
  const server = createServer((request, response) => answer(files, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(files: SiteFiles, { url = "/" }: IncomingMessage, response: ServerResponse): void {
  const path = url.split("?")[0] ?? "/";
  const name = path.endsWith("/") ? `${path}index.html` : path;
  const file = files.get(name);
  response.setHeader("cache-control", "no-store");
  if (file === undefined) {
    response.writeHead(404, { "content-type": types["html"] }).end("<title>Not found</title>");
    return;
  }
  const type = types[name.replace(/^.*\./, "")] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type }).end(file);
}
