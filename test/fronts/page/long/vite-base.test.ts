import { join } from "node:path";
import type { Page } from "playwright-core";
import { build, preview } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { browserContext } from "../../../support/browser/browser.ts";
import { workerFromSource } from "../../../support/browser/worker-from-source.ts";
import { viteConfig, viteFolder, viteSite } from "../../../support/vite-site.ts";

/** A page that asks for rows at three addresses, and again when the fixtures have changed. */
const page = `import { onUpdate, start } from "virtual:backlot";
async function ask(path) {
  const response = await fetch(path, { headers: { authorization: "Bearer local-token" } });
  const text = await response.text();
  return text.startsWith("{") ? JSON.parse(text).result.map(({ name }) => name).join() : "app";
}
async function show() {
  const below = import.meta.env.BASE_URL + "rest/users";
  const paths = ["/rest/users", below, "https://api.example" + below];
  document.title = (await Promise.all(paths.map((path) => ask(path).catch(() => "none")))).join(" ");
}
globalThis.emulator = await start();
onUpdate(show);
await show();
`;

const files = { "main.ts": page };

async function openTab(): Promise<Page> {
  return (await browserContext()).newPage();
}

test.each(["msw", "worker"] as const)(
  "pages at and deep below a base are answered there too, over an edit, in mode %s",
  async (mode) => {
    const plugins = mode === "worker" ? [await workerFromSource("/shop/")] : [];
    const setup = { files, plugins, config: { base: "/shop/" } };
    const { url, folder } = await viteSite({ mode }, setup);
    const tab = await openTab();
    for (const path of ["/shop/", "/shop/deep/page"]) {
      await tab.goto(url + path);
      // The other origin is no part of the site.
      await expect.poll(() => tab.title()).toBe("Ada Ada none");
    }
    await folder.replace("fixtures/tables/users.json", [{ id: 7, name: "Grace" }]);
    await expect.poll(() => tab.title()).toBe("Grace Grace none");
  },
);

test("the console of mode worker opens below a base, and its links stay there", async () => {
  const plugins = [await workerFromSource("/shop/")];
  const { url } = await viteSite({ mode: "worker" }, { plugins, config: { base: "/shop/" } });
  const tab = await openTab();
  await tab.goto(`${url}/__backlot/#/tables/users`);
  await expect.poll(() => tab.getByText("Ada").count()).toBe(1);
  await tab.goto(`${url}/shop/@one/__backlot/#/sessions`);
  await tab.locator('a[href="/shop/__backlot/"]').first().waitFor();
});

/** Builds two pages in two folders for mode msw, and serves them below a path. Gives the address of the server. */
async function builtSite(base: string, below: string): Promise<string> {
  const index = `<!doctype html><base href="${below}"><script type="module" src="/main.ts"></script>`;
  const own = base === "./" ? index.replace(/<base[^>]*>/, "") : index;
  const folder = await viteFolder({ ...files, "index.html": own, "deep/index.html": own });
  const config = { ...viteConfig(folder, { mode: "msw" }), base };
  const input = ["index.html", "deep/index.html"].map((name) => join(folder.path, name));
  await build({ ...config, build: { minify: false, rolldownOptions: { input } } });
  const server = await preview({ ...config, base: below, preview: { port: 0, host: "127.0.0.1" } });
  onTestFinished(() => server.close());
  return new URL(server.resolvedUrls?.local[0] ?? "").origin;
}

test("pages of a build with a relative base find the worker from their folders", async () => {
  const origin = await builtSite("./", "/shop/");
  const tab = await openTab();
  for (const path of ["/shop/", "/shop/deep/"]) {
    await tab.goto(origin + path);
    await expect.poll(() => tab.title()).toMatch(/^Ada /);
    expect(await tab.evaluate("navigator.serviceWorker.controller.scriptURL")).toBe(
      `${origin}/shop/mockServiceWorker.js`,
    );
  }
});

test("pages of a build whose base is another origin find the worker by their <base href>", async () => {
  const origin = await builtSite("https://cdn.example/x/", "/x/");
  const tab = await openTab();
  // Also what the worker asks for its page.
  await tab.context().route("https://cdn.example/**", async (route) => {
    const response = await fetch(origin + new URL(route.request().url()).pathname);
    const headers = {
      "access-control-allow-origin": "*",
      "content-type": response.headers.get("content-type") ?? "",
    };
    await route.fulfill({ headers, body: await response.text() });
  });
  await tab.goto(`${origin}/x/deep/`);
  await expect.poll(() => tab.title()).toMatch(/^Ada /);
});
