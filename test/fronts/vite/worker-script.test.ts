import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { build } from "vite";
import { mswScript } from "../../support/browser/site-files.ts";
import { viteConfig, viteFolder, viteSite } from "../../support/vite-site.ts";

const page = { "main.ts": 'import { start } from "virtual:backlot";\nawait start();\n' };

test("serves msw's script below Vite's base, never from a cache", async () => {
  const { fetch } = await viteSite({ mode: "msw" }, { config: { base: "/app/" } });
  const response = await fetch("/app/mockServiceWorker.js");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "no-cache, no-store",
    "service-worker-allowed": "/app/",
  });
  expect(await response.text()).toBe(await mswScript());
});

test("serves no script where the dev server answers", async () => {
  const { fetch } = await viteSite();
  expect(await (await fetch("/mockServiceWorker.js")).text()).toContain("<title>Site");
});

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

test("a build from broken fixtures fails, and says where they are broken", async () => {
  const folder = await viteFolder({ ...page, "fixtures/tables/users.json": "[,]" });
  await expect(build(viteConfig(folder, { mode: "msw" }))).rejects.toThrow(
    "fixtures/tables/users.json:1:2: ",
  );
});
