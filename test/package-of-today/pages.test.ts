import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { type Browser, chromium, type Page } from "playwright-core";
import { root } from "../../scripts/compat/scratch.ts";
import { findChromium } from "../support/browser/chromium.ts";
import { pageRunning } from "../support/browser/site-files.ts";
import { codeBlocks } from "../support/markdown-blocks.ts";

const project = inject("project");

/** The packages as the user's project finds them. */
const load = createRequire(join(project, "package.json"));
const vite: typeof import("vite") = await import(pathToFileURL(load.resolve("vite")).href);
const plugin: typeof import("../../src/fronts/vite/index.ts") = await import(
  pathToFileURL(join(project, "node_modules/backlot/dist/vite.js")).href
);

let browser: Browser;

beforeAll(async () => {
  const { executablePath, env } = await findChromium();
  browser = await chromium.launch({ executablePath, env: { ...process.env, ...env } });
});

afterAll(() => browser.close());

/** A folder of the project that Vite can serve: a page that runs a script, and other files. */
function siteFolder(name: string, script: string): string {
  const folder = join(project, name);
  mkdirSync(join(folder, "public"), { recursive: true });
  writeFileSync(join(folder, "index.html"), pageRunning("/main.js"));
  writeFileSync(join(folder, "main.js"), script);
  return folder;
}

/** Serves a folder by Vite's dev server, and opens its page. Gives all that the page prints. */
async function open(folder: string, plugins: readonly unknown[] = []): Promise<readonly string[]> {
  const server = await vite.createServer({
    root: folder,
    configFile: false,
    cacheDir: join(folder, ".vite"),
    logLevel: "error",
    // As most servers: what is not there is 404, and not the page.
    appType: "mpa",
    plugins: [...plugins] as never,
    server: { port: 0, host: "127.0.0.1", fs: { strict: false } },
  });
  await server.listen();
  onTestFinished(() => server.close());
  const page: Page = await browser.newPage();
  onTestFinished(() => page.close());
  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.text()));
  page.on("pageerror", (error) => printed.push(String(error)));
  await page.goto(server.resolvedUrls?.local[0] ?? "");
  return printed;
}

const blocks = codeBlocks(readFileSync(join(root, "docs/browser.md"), "utf8")).filter(
  ({ info }) => info === "js browser",
);

// A comment `// → text` says what the script prints.
test.for(blocks)("the script of docs/browser.md runs in a page, line $line", async (block) => {
  const folder = siteFolder(`browser-${block.line}`, block.code);
  const worker = join(folder, "public/mockServiceWorker.js");
  copyFileSync(load.resolve("msw/mockServiceWorker.js"), worker);
  // Our own worker's script comes from the plugin.
  const printed = await open(folder, [plugin.backlot({ mode: "worker" })]);
  for (const [, text = ""] of block.code.matchAll(/\/\/ → (.*)/g)) {
    await expect.poll(() => printed).toContain(text);
  }
});

const script = `import { start } from "virtual:backlot";
await start();
const headers = { authorization: "Bearer local-token" };
console.log(await (await fetch("/rest/users/1", { headers })).text());
`;

test.for(["server", "msw", "worker"] as const)(
  "the plugin of Vite answers a page in mode %s",
  async (mode) => {
    const folder = siteFolder(`vite-${mode}`, script);
    mkdirSync(join(folder, "fixtures/tables"), { recursive: true });
    writeFileSync(join(folder, "fixtures/tables/users.json"), '[{ "id": 1, "name": "Ada" }]');
    const printed = await open(folder, [plugin.backlot({ mode })]);
    await expect.poll(() => printed).toContain('{"result":[{"id":1,"name":"Ada"}]}');
  },
);
