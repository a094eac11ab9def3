import type { Page } from "playwright-core";
import type { Plugin } from "vite";
import { expect, test } from "vitest";
import { browserContext } from "../../../support/browser/browser.ts";
import { workerFromSource } from "../../../support/browser/worker-from-source.ts";
import { viteSite, type ViteSite } from "../../../support/vite-site.ts";

const users = "fixtures/tables/users.json";
const grace = [{ id: 7, name: "Grace" }];

/** A page that keeps what it started, and shows what it gets. */
const script = `import { onUpdate, start } from "virtual:backlot";
async function show() {
  const headers = { authorization: "Bearer local-token" };
  const response = await fetch("/rest/users", { headers });
  const isAnswer = response.headers.get("content-type").startsWith("application/json");
  document.title = isAnswer ? JSON.stringify((await response.json()).result) : "nobody";
}
globalThis.emulator = await start();
globalThis.show = show;
globalThis.updates = 0;
onUpdate(() => { globalThis.updates += 1; });
await show();
`;

interface Opened extends ViteSite {
  readonly tab: Page;
  readonly title: () => Promise<string>;
}

/** Opens a site in a browser. */
async function open(mode: "msw" | "worker", first: readonly Plugin[] = []): Promise<Opened> {
  const plugins = [...first, ...(mode === "worker" ? [await workerFromSource()] : [])];
  const site = await viteSite({ mode }, { files: { "main.ts": script }, plugins });
  const tab = await (await browserContext()).newPage();
  await tab.goto(site.url);
  return { ...site, tab, title: () => tab.title() };
}

const ada = '[{"id":1,"name":"Ada"}]';

/** Has the page show what it gets now. */
async function shown({ tab, title }: Opened): Promise<string> {
  await tab.evaluate("globalThis.show()");
  return title();
}

/** A worker script that is none, while it is told to be. */
function brokenScript(state: { isBroken: boolean }): Plugin {
  return {
    name: "broken-script",
    enforce: "pre",
    configureServer: ({ middlewares }) => {
      middlewares.use((request, response, next) => {
        const isScript = request.url?.startsWith("/backlot-worker.js") === true;
        if (isScript && state.isBroken) {
          response.setHeader("content-type", "text/javascript");
          response.end("none");
        } else {
          next();
        }
      });
    },
  };
}

test("imports what mode msw answers with as one file", async () => {
  const { tab, title } = await open("msw");
  await expect.poll(title).toBe(ada);
  const fetched: string[] = [];
  tab.on("request", (request) => void fetched.push(new URL(request.url()).pathname));
  await tab.reload();
  await expect.poll(title).toBe(ada);
  // The bundler's own helper, of a few lines, comes beside it.
  const ofVite = /\/deps\/rolldown-runtime/;
  const deps = fetched.filter((path) => path.includes("/deps/") && !ofVite.test(path));
  const entry = expect.stringMatching("/backlot_at-once.js$");
  expect(deps).toEqual([entry, expect.stringMatching(/\/backlot-\w+\.js$/)]);
});

test("shows at once that our own worker cannot use edited fixtures, and keeps the old", async () => {
  const site = await open("worker");
  await expect.poll(site.title).toBe(ada);
  await site.folder.replace("fixtures/config.json", { tokenizer: "o200k_base" });
  const overlay = site.tab.locator("vite-error-overlay");
  await overlay.getByText('the tokenizer "o200k_base"').first().waitFor();
  expect(await shown(site)).toBe(ada);
  await site.folder.remove("fixtures/config.json");
  await overlay.waitFor({ state: "detached" });
  expect(await shown(site)).toBe(ada);
});

test("shows why a page could not start, and begins it anew when the fixtures are edited", async () => {
  const state = { isBroken: true };
  const site = await open("worker", [brokenScript(state)]);
  const overlay = site.tab.locator("vite-error-overlay");
  await overlay.getByText("is not a worker script of Backlot").first().waitFor();
  state.isBroken = false;
  await site.folder.replace(users, grace);
  await expect.poll(site.title).toBe(JSON.stringify(grace));
  expect(await overlay.count()).toBe(0);
});

test("shows why a page could not take edited fixtures, and keeps the old", async () => {
  const state = { isBroken: false };
  const site = await open("worker", [brokenScript(state)]);
  await expect.poll(site.title).toBe(ada);
  state.isBroken = true;
  await site.folder.replace(users, grace);
  const overlay = site.tab.locator("vite-error-overlay");
  await overlay.getByText("is not a worker script of Backlot").first().waitFor();
  expect(await shown(site)).toBe(ada);
  state.isBroken = false;
  await site.folder.replace(users, [{ id: 8, name: "Alan" }]);
  await overlay.waitFor({ state: "detached" });
  // The overlay goes when the dev server has read them, which is before the page's worker has them.
  await expect.poll(() => shown(site)).toBe('[{"id":8,"name":"Alan"}]');
});

test.each(["msw", "worker"] as const)(
  "leaves an emulator stopped that was stopped, until it is started again, in mode %s",
  async (mode) => {
    const site = await open(mode);
    await expect.poll(site.title).toBe(ada);
    await site.tab.evaluate("globalThis.emulator.stop()");
    expect(await shown(site)).toBe("nobody");
    await site.folder.replace(users, grace);
    await expect.poll(() => site.tab.evaluate("globalThis.updates")).toBe(1);
    expect(await shown(site)).toBe("nobody");
    await site.tab.evaluate('import("/main.ts?again")');
    await expect.poll(() => shown(site)).toBe(JSON.stringify(grace));
  },
);

test("an edit that needs more parts of our own worker comes while a stream is open", async () => {
  const site = await open("worker");
  await site.folder.write("fixtures/chats/slow.json", {
    when: { user: "slow" },
    reply: { chunks: ["one", { wait: 3_600_000 }, "two"] },
  });
  await expect.poll(() => site.tab.evaluate("globalThis.updates")).toBe(1);
  await site.tab.evaluate(async () => {
    const messages = [{ role: "user", content: "slow" }];
    const headers = { authorization: "Bearer k", "content-type": "application/json" };
    const body = JSON.stringify({ model: "any", stream: true, messages });
    const response = await fetch("/v1/chat/completions", { method: "POST", headers, body });
    await response.body?.getReader().read();
  });
  await site.folder.write("fixtures/chats/fake.json", {
    reply: { content: "{{ 'person.fullName' | faker }}" },
  });
  await expect.poll(() => site.tab.evaluate("globalThis.updates")).toBe(2);
});

test("opens the console of mode worker without a page before it", async () => {
  const plugins = [await workerFromSource()];
  const { url } = await viteSite({ mode: "worker" }, { plugins });
  const tab = await (await browserContext()).newPage();
  await tab.goto(`${url}/__backlot/#/tables/users`);
  await expect.poll(() => tab.getByText("Ada").count()).toBe(1);
});
