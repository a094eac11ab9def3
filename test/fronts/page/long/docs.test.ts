import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { bundleWorker } from "../../../../scripts/worker/bundle-worker.ts";
import { browserContext } from "../../../support/browser/browser.ts";
import { bundleText } from "../../../support/browser/bundle.ts";
import { serveSite } from "../../../support/browser/serve-site.ts";
import { mswScript, pageRunning } from "../../../support/browser/site-files.ts";
import { codeBlocks } from "../../../support/markdown-blocks.ts";

const page = fileURLToPath(new URL("../../../../docs/browser.md", import.meta.url));
const blocks = codeBlocks(readFileSync(page, "utf8")).filter(({ info }) => info === "js browser");

// A comment `// → text` says what the script prints.
test.for(blocks)("the script of line $line prints what it says", async ({ code }) => {
  const files = new Map([
    ...(await bundleText(code)),
    ["/index.html", pageRunning("/stdin.js")] as const,
    ["/mockServiceWorker.js", await mswScript()] as const,
    ...(await bundleWorker()),
  ]);
  const site = await serveSite(files);
  onTestFinished(site.close);
  const tab = await (await browserContext()).newPage();
  const printed: string[] = [];
  tab.on("console", (message) => printed.push(message.text()));
  tab.on("pageerror", (error) => printed.push(String(error)));
  await tab.goto(`${site.origin}/`);
  for (const [, text = ""] of code.matchAll(/\/\/ → (.*)/g)) {
    await expect.poll(() => printed).toContain(text);
  }
});
