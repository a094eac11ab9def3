import { expect, test } from "vitest";
import { browserContext } from "../../support/browser/browser.ts";
import { startMsw } from "../../support/browser/msw-page.ts";
import { getIn, ownRows } from "../../support/browser/own-page.ts";
import { RemotePage } from "../../support/browser/remote-page.ts";

test("begins anew when the page is loaded again", async () => {
  const remote = await RemotePage.open(await browserContext());
  await startMsw(remote.page);
  await remote.page.evaluate(() => globalThis.remote?.insert("users", '{"name":"Grace"}'));
  await remote.load();
  expect(await getIn(remote.page, "/rest/users")).toMatch(/^404 /);
  expect(await startMsw(remote.page)).toBe("started");
  expect(await getIn(remote.page, "/rest/users")).toBe(ownRows);
});

test("answers each tab from its own emulator, and leaves other tabs alone", async () => {
  const context = await browserContext();
  const tabs = await Promise.all([1, 2, 3].map(() => RemotePage.open(context)));
  const [one, two, three] = tabs.map(({ page }) => page);
  if (one === undefined || two === undefined || three === undefined) throw new Error("No tabs.");
  await startMsw(one);
  await startMsw(two, { fixtures: { tables: { users: [] } } });
  expect(await getIn(one, "/rest/users")).toBe(ownRows);
  expect(await getIn(two, "/rest/users")).toBe('200 {"result":[]}');
  expect(await getIn(three, "/rest/users")).toMatch(/^404 /);
  await two.close();
  expect(await getIn(one, "/rest/users")).toBe(ownRows);
});
