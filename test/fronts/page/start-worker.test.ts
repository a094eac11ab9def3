import { expect, test } from "vitest";
import { browserContext } from "../../support/browser/browser.ts";
import { asking } from "../../support/contract-chats.ts";
import { leaveStream } from "../../support/browser/leave-stream.ts";
import { openMswPage, startMsw } from "../../support/browser/msw-page.ts";
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

test("stops the source of a stream when the page aborts", async () => {
  const page = await openMswPage();
  const chats = [{ name: "slow", reply: { chunks: ["one", { wait: 3_600_000 }, "two"] } }];
  await startMsw(page, { fixtures: { models: [{ id: "atlas" }], chats } });
  const body = JSON.stringify(asking("Hi", { stream: true }));
  const leaving = { how: "abort", body, count: 1 } as const;
  expect(await page.evaluate(leaveStream, leaving)).toBeLessThan(3_600_000);
});
