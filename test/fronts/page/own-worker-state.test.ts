import type { BrowserContext } from "playwright-core";
import { expect, test } from "vitest";
import { browserContext, siteOrigin } from "../../support/browser/browser.ts";
import { endIdle } from "../../support/browser/own-page.ts";
import { RemotePage } from "../../support/browser/remote-page.ts";
import { stopWorkers } from "../../support/browser/stop-workers.ts";

const fixtures = {
  models: [{ id: "atlas" }],
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [{ name: "turns", replies: [{ content: "one" }, { content: "two" }] }],
};

interface Tab {
  readonly remote: RemotePage;
  /** What the page gets: the status and the text. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<string>;
  readonly names: () => Promise<string>;
  readonly add: (name: string) => Promise<string>;
}

async function openTab(context: BrowserContext, options?: object): Promise<Tab> {
  const remote = await RemotePage.open(context, "/own/");
  const tab = tabOf(remote);
  if (options !== undefined) await start(tab, options);
  return tab;
}

function tabOf(remote: RemotePage): Tab {
  const ask: Tab["ask"] = (method, path, body) =>
    remote.page.evaluate(
      async ([verb, asked, sent]) => {
        const headers = { "content-type": "application/json" };
        const init = sent === undefined ? {} : { body: sent, headers };
        const response = await fetch(asked, { method: verb, ...init });
        return `${response.status} ${await response.text()}`;
      },
      [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
    );
  return {
    remote,
    ask,
    names: async () => {
      const text = await ask("GET", "/rest/users");
      return [...text.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name).join(" ");
    },
    add: (name) => ask("POST", "/rest/users", { name }),
  };
}

function start({ remote }: Tab, options: object): Promise<void> {
  const text = JSON.stringify({ fixtures, auth: false, script: "/backlot-worker.js", ...options });
  return remote.page.evaluate(async (given) => globalThis.remote?.open(given), text);
}

const chat = { model: "atlas", messages: [{ role: "user", content: "Hi" }] };

async function said({ ask }: Tab): Promise<string | undefined> {
  const answer = await ask("POST", "/v1/chat/completions", chat);
  return /"content":"([^"]*)"/.exec(answer)?.[1];
}

test.each(["memory", "tab", "origin"])(
  "comes back as it was when it was ended, with state kept for %s",
  async (persist) => {
    const tab = await openTab(await browserContext(), { persist });
    await tab.add("Grace");
    expect(await said(tab)).toBe("one");
    await tab.ask("PUT", "/__backlot/snapshots/two");
    await tab.ask("DELETE", "/rest/users/1");
    await endIdle(tab.remote.page);
    expect(await tab.names()).toBe("Grace");
    // The journal is what is lost, which tells that the worker is another one.
    expect(await tab.ask("GET", "/__backlot/requests?method=DELETE")).toContain('"requests":[]');
    expect(await said(tab)).toBe("two");
    expect(await tab.add("Alan")).toContain('"id":3');
    await tab.ask("POST", "/__backlot/snapshots/two/restore");
    expect(await tab.names()).toBe("Ada Grace");
  },
);

test("comes back as it was however often it is ended", async () => {
  const tab = await openTab(await browserContext(), {});
  for (const name of ["B", "C", "D"]) {
    await tab.add(name);
    await endIdle(tab.remote.page);
  }
  expect(await tab.names()).toBe("Ada B C D");
  await tab.ask("POST", "/__backlot/reset");
  await endIdle(tab.remote.page);
  expect(await tab.names()).toBe("Ada");
});

test.each([
  ["memory", "Ada", "Ada"],
  ["tab", "Ada Grace", "Ada"],
  ["origin", "Ada Grace", "Ada Grace"],
])("with state kept for %s a reload sees %s and another tab %s", async (persist, same, other) => {
  const context = await browserContext();
  const one = await openTab(context, { persist });
  await one.add("Grace");
  const two = await openTab(context, { persist });
  expect(await two.names()).toBe(other);
  await one.remote.load();
  await start(one, { persist });
  expect(await one.names()).toBe(same);
});

test("forgets what was kept when the fixtures are others", async () => {
  const tab = await openTab(await browserContext(), {});
  await tab.add("Grace");
  await tab.remote.load();
  await start(tab, { fixtures: { tables: { users: [{ id: 5, name: "Eve" }] } } });
  expect(await tab.names()).toBe("Eve");
  await start(tab, {});
  expect(await tab.names()).toBe("Ada");
});

test("answers a page that has started it, and leaves others alone", async () => {
  const context = await browserContext();
  const one = await openTab(context, {});
  const two = await openTab(context);
  expect(await one.names()).toBe("Ada");
  expect(await two.ask("GET", "/rest/users")).toMatch(/^404 /);
  await one.remote.page.evaluate(() => globalThis.remote?.close());
  expect(await one.ask("GET", "/rest/users")).toMatch(/^404 /);
});

test("shows the console, which sees what pages share", async () => {
  const context = await browserContext();
  const tab = await openTab(context, {});
  await tab.add("Grace");
  const page = await context.newPage();
  await page.goto(`${siteOrigin()}/__backlot/#/tables/users`);
  await page.getByText("Grace").waitFor();
  await stopWorkers(page);
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByText("Ada").waitFor();
  expect(await page.getByText("Grace").count()).toBe(1);
});
