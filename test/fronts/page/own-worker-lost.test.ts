import { expect, test } from "vitest";
import { browserContext } from "../../support/browser/browser.ts";
import { getIn, ownRows, startOwn } from "../../support/browser/own-page.ts";
import { openPrinting, spoil, spoilings } from "../../support/browser/spoil-kept.ts";
import { stopWorkers } from "../../support/browser/stop-workers.ts";

const add = { method: "POST", headers: { "content-type": "application/json" }, body: '{"id":2}' };

test("answers an open page when what was kept is gone and the worker was ended", async () => {
  const { page } = await openPrinting(await browserContext());
  await startOwn(page);
  await getIn(page, "/rest/users", add);
  await spoil(page, spoilings["is gone"]);
  await stopWorkers(page);
  expect(await getIn(page, "/rest/users")).toBe(ownRows);
  expect(await startOwn(page)).toBe("started");
  expect(await getIn(page, "/rest/users")).toBe(ownRows);
});

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
