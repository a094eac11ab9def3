import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { createServer } from "vite";
import { createEmulator } from "../../../src/index.ts";
import { loadFixtures, startServer } from "../../../src/fronts/node/index.ts";
import { browser } from "./browser.ts";
import { workerFromSource } from "./worker-from-source.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The example shop in a browser, with one of its backends. */
export interface OpenShop extends AsyncDisposable {
  readonly page: Page;
}

/** Who can answer the shop: as its README lists them. */
export type Backend = "server" | "msw" | "worker" | "start";

/** Opens the example shop. When it is disposed, it is an error if the page had one. */
export async function openShop(backend: Backend): Promise<OpenShop> {
  const cacheDir = await mkdtemp(join(tmpdir(), "backlot-shop-"));
  const fixtures = await loadFixtures(join(root, "fixtures"));
  const elsewhere = await startServer(await createEmulator({ fixtures }), { port: 0 });
  process.env["BACKEND"] = backend;
  process.env["BACKLOT_URL"] = elsewhere.url;
  const server = await createServer({
    root: join(root, "examples/shop"),
    cacheDir,
    logLevel: "error",
    plugins: backend === "worker" ? [await workerFromSource()] : [],
    server: { port: 0, host: "127.0.0.1" },
  });
  await server.listen();
  const context = await (await browser()).newContext();
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // What a reply with an error status leaves behind, in every page.
    const isOfReply = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isOfReply) problems.push(message.text());
  });
  await page.goto(server.resolvedUrls?.local[0] ?? "");
  return {
    page,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await server.close();
      await elsewhere.close();
      await rm(cacheDir, { recursive: true, force: true });
      expect(problems).toEqual([]);
    },
  };
}
