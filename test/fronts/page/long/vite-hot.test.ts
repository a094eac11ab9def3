import { expect, test } from "vitest";
import { browserContext } from "../../../support/browser/browser.ts";
import { workerFromSource } from "../../../support/browser/worker-from-source.ts";
import { viteSite } from "../../../support/vite-site.ts";

const users = "fixtures/tables/users.json";

/** A page that shows what it got, anew when the fixtures are others. */
const page = `import { onUpdate, start } from "virtual:backlot";
await start();
async function show() {
  const headers = { authorization: "Bearer local-token" };
  const response = await fetch("/rest/users", { headers });
  document.title = JSON.stringify((await response.json()).result);
}
onUpdate(show);
await show();
`;

test.each(["server", "msw", "worker"] as const)(
  "a page takes an edited fixture without a reload, and shows a broken one, in mode %s",
  async (mode) => {
    const plugins = mode === "worker" ? [await workerFromSource()] : [];
    const { url, folder } = await viteSite({ mode }, { files: { "main.ts": page }, plugins });
    const tab = await (await browserContext()).newPage();
    const title = (): Promise<string> => tab.title();
    await tab.goto(url);
    await expect.poll(title).toBe('[{"id":1,"name":"Ada"}]');
    await tab.evaluate("globalThis.isSame = true");
    await folder.replace(users, [{ id: 7, name: "Grace" }]);
    await expect.poll(title).toBe('[{"id":7,"name":"Grace"}]');
    await folder.replace(users, '[{ "id": 8, "nam');
    const overlay = tab.locator("vite-error-overlay");
    await overlay.getByText(`${users}:1:13`).first().waitFor();
    expect(await title()).toBe('[{"id":7,"name":"Grace"}]');
    await folder.replace(users, [{ id: 8, name: "Alan" }]);
    await expect.poll(title).toBe('[{"id":8,"name":"Alan"}]');
    expect(await overlay.count()).toBe(0);
    expect(await tab.evaluate("globalThis.isSame")).toBe(true);
  },
);
