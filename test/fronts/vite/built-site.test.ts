import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { build, createLogger } from "vite";
import { mswScript } from "../../support/browser/site-files.ts";
import { viteConfig, viteFolder } from "../../support/vite-site.ts";

const page = { "main.ts": 'import { start } from "virtual:backlot";\nawait start();\n' };

test("a build has msw's script, and all that the page needs", async () => {
  const folder = await viteFolder(page);
  await build({ ...viteConfig(folder, { mode: "msw" }), build: { minify: false } });
  const script = await readFile(join(folder.path, "dist/mockServiceWorker.js"), "utf8");
  expect(script).toBe(await mswScript());
});

test.each(["server", "off"] as const)("a build has nothing of Backlot in mode %s", async (mode) => {
  const folder = await viteFolder(page);
  const built = await build({ ...viteConfig(folder, { mode }), build: { write: false } });
  const [only] = [built].flat();
  const output = only !== undefined && "output" in only ? only.output : [];
  const code = output.map((file) => (file.type === "chunk" ? file.code : "")).join("\n");
  expect(output.map(({ fileName }) => fileName)).not.toContain("mockServiceWorker.js");
  expect(code).not.toContain("Ada");
});

test.each([
  ["msw", "Serve mockServiceWorker.js on the page's own origin"],
  ["worker", "Serve backlot-worker.js and its folder backlot-worker on the page's own origin"],
] as const)(
  "a build for another origin says where its script must be in mode %s",
  async (mode, where) => {
    const folder = await viteFolder();
    const warnings: string[] = [];
    const customLogger = {
      ...createLogger("silent"),
      warn: (text: string) => void warnings.push(text),
    };
    const config = {
      ...viteConfig(folder, { mode }),
      base: "https://cdn.example/x/",
      customLogger,
    };
    // In a checkout without a build our own script is missing.
    await build({ ...config, build: { write: false } }).catch(() => undefined);
    expect(warnings.join("\n")).toContain(where);
  },
);
