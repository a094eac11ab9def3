import { expect, test } from "vitest";
import { browserContext } from "../../support/browser/browser.ts";
import { endIdle } from "../../support/browser/own-page.ts";
import { openTab, type Tab } from "../../support/browser/own-tab.ts";

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

test("answers a page that has started it, and leaves others alone", async () => {
  const context = await browserContext();
  const one = await openTab(context, {});
  const two = await openTab(context);
  expect(await one.names()).toBe("Ada");
  expect(await two.ask("GET", "/rest/users")).toMatch(/^404 /);
  await one.remote.page.evaluate(() => globalThis.remote?.close());
  expect(await one.ask("GET", "/rest/users")).toMatch(/^404 /);
});
