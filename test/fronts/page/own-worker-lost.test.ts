import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserContext } from "../../support/browser/browser.ts";
import { getIn, openOwnPage, ownRows, startOwn } from "../../support/browser/own-page.ts";
import { stopWorkers } from "../../support/browser/stop-workers.ts";

interface Printing {
  readonly page: Page;
  readonly printed: readonly string[];
}

async function openPrinting(context: BrowserContext): Promise<Printing> {
  const page = await openOwnPage(context);
  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.text()));
  return { page, printed };
}

const add = { method: "POST", headers: { "content-type": "application/json" }, body: '{"id":2}' };

/** In the page: does something with all that the worker keeps. */
const spoilings = {
  "is gone": "store.clear()",
  "is no setup": 'store.put("garbage", ["setup"])',
  "is no state": "for (const key of keys) if (key.length > 1) store.put({ x: 1 }, key)",
  "is of another version": 'store.put({ version: "0.0.1", text: "{}" }, ["setup"])',
};

function spoil(page: Page, how: string): Promise<void> {
  return page.evaluate(`new Promise((resolve) => {
    indexedDB.open("backlot /").onsuccess = ({ target: { result: db } }) => {
      const transaction = db.transaction("kept", "readwrite");
      const store = transaction.objectStore("kept");
      store.getAllKeys().onsuccess = ({ target: { result: keys } }) => { ${how} };
      transaction.oncomplete = () => { db.close(); resolve(); };
    };
  })`);
}

test.each(Object.entries(spoilings))(
  "answers an open page when what was kept %s and the worker was ended",
  async (_, how) => {
    const { page } = await openPrinting(await browserContext());
    await startOwn(page);
    await getIn(page, "/rest/users", add);
    await spoil(page, how);
    await stopWorkers(page);
    expect(await getIn(page, "/rest/users")).toBe(ownRows);
    expect(await startOwn(page)).toBe("started");
    expect(await getIn(page, "/rest/users")).toBe(ownRows);
  },
);

test("tells a page that what was kept cannot be brought back", async () => {
  const { page, printed } = await openPrinting(await browserContext());
  await startOwn(page);
  await getIn(page, "/rest/users", add);
  await spoil(page, spoilings["is no state"]);
  await stopWorkers(page);
  await getIn(page, "/rest/users");
  await expect
    .poll(() => printed.join("\n"))
    .toContain("backlot: The worker cannot restore its saved state and starts over");
});

test("with several pages the fixtures that were started last are used again", async () => {
  const context = await browserContext();
  const [one, two] = [await openPrinting(context), await openPrinting(context)];
  await startOwn(one.page, { fixtures: { tables: { users: [{ id: 9, name: "Old" }] } } });
  await startOwn(two.page);
  await spoil(two.page, spoilings["is gone"]);
  await stopWorkers(two.page);
  expect(await getIn(two.page, "/rest/users")).toBe(ownRows);
  await expect.poll(() => getIn(one.page, "/rest/users")).toBe(ownRows);
});

test("leaves a page alone that was stopped, when what was kept is gone", async () => {
  const { page } = await openPrinting(await browserContext());
  await startOwn(page);
  await page.evaluate(() => globalThis.remote?.close());
  await spoil(page, spoilings["is gone"]);
  await stopWorkers(page);
  expect(await getIn(page, "/rest/users")).toMatch(/^404 /);
});

test("works in memory, and says so, where the database cannot be used", async () => {
  const { page, printed } = await openPrinting(await browserContext());
  // Of that name, and without our store in it.
  await page.evaluate(`new Promise((resolve) => {
    const request = indexedDB.open("backlot /", 99);
    request.onsuccess = () => { request.result.close(); resolve(); };
  })`);
  expect(await startOwn(page)).toBe("started");
  expect(printed.join("\n")).toContain(`The worker cannot use the browser's database "backlot /"`);
  await getIn(page, "/rest/users", add);
  expect(await getIn(page, "/rest/users")).toContain('"id":2');
  await stopWorkers(page);
  expect(await getIn(page, "/rest/users")).toBe(ownRows);
});
