import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { findChromium } from "./chromium.ts";
import { insecureHost } from "./insecure-host.ts";
import { serveSite } from "./serve-site.ts";
import { siteFiles } from "./site-files.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the one browser of a test run is reached, and the site that its pages come from. */
    readonly browser: { readonly endpoint: string; readonly site: string };
  }
}

/** Starts one browser for all files of tests. It ends with this process, however that ends. */
export default async function setup(vitest: TestProject): Promise<() => Promise<void>> {
  const { executablePath, env } = await findChromium();
  const [server, site] = await Promise.all([
    // Playwright leaves the sandbox out, which root could not have anyway: the pages are our own.
    chromium.launchServer({
      executablePath,
      env: { ...environment(), ...env },
      args: [`--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`],
    }),
    siteFiles().then(serveSite),
  ]);
  vitest.provide("browser", { endpoint: server.wsEndpoint(), site: site.origin });
  return async () => {
    await server.close();
    await site.close();
  };
}

function environment(): Record<string, string> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
