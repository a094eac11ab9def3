import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { browserContext, siteOrigin } from "./browser.ts";

export interface OtherSite {
  readonly page: Page;
  /** The weight of what it was asked for, as it would be packed. */
  readonly weights: ReadonlyMap<string, number>;
  /** From now on it has no worker, but a console of its own. */
  readonly dropWorker: () => void;
  readonly restoreWorker: () => void;
}

/** The site once more, with a policy. */
export async function siteWithPolicy(policy: string): Promise<OtherSite> {
  const weights = new Map<string, number>();
  let hasWorker = true;
  const server: Server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      if (!hasWorker) {
        response.setHeader("content-type", "text/html");
        return void response.end("<title>The server</title>");
      }
      const found = await fetch(siteOrigin() + (request.url ?? "/"));
      const body = Buffer.from(await found.arrayBuffer());
      weights.set((request.url ?? "/").split("?")[0] ?? "/", gzipSync(body).byteLength);
      response.setHeader("content-security-policy", policy);
      response.setHeader("content-type", found.headers.get("content-type") ?? "text/plain");
      response.writeHead(found.status).end(body);
    };
    void answer();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const page = await (await browserContext()).newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/own/`);
  const dropWorker = (): void => {
    hasWorker = false;
  };
  const restoreWorker = (): void => {
    hasWorker = true;
  };
  return { page, weights, dropWorker, restoreWorker };
}
