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

test("a build from broken fixtures fails, and says where they are broken", async () => {
  const folder = await viteFolder({ ...page, "fixtures/tables/users.json": "[,]" });
  await expect(build(viteConfig(folder, { mode: "msw" }))).rejects.toThrow(
    "fixtures/tables/users.json:1:2: ",
  );
});
