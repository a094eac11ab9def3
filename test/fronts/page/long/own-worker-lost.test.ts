import { expect, test } from "vitest";
import { browserContext } from "../../../support/browser/browser.ts";
import { getIn, ownRows, startOwn } from "../../../support/browser/own-page.ts";
import { openPrinting, spoil, spoilings } from "../../../support/browser/spoil-kept.ts";
import { stopWorkers } from "../../../support/browser/stop-workers.ts";

const add = { method: "POST", headers: { "content-type": "application/json" }, body: '{"id":2}' };

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
