import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserContext } from "../../../support/browser/browser.ts";
import { workerFromSource } from "../../../support/browser/worker-from-source.ts";
import { viteSite } from "../../../support/vite-site.ts";

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
