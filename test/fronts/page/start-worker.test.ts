import { expect, test } from "vitest";
import { browserContext, siteOrigin } from "../../support/browser/browser.ts";
import { asking } from "../../support/contract-chats.ts";
import { leaveStream } from "../../support/browser/leave-stream.ts";
import { insecureHost } from "../../support/browser/insecure-host.ts";
import { openMswPage, startMsw } from "../../support/browser/msw-page.ts";
import { getIn, ownRows } from "../../support/browser/own-page.ts";
import { RemotePage } from "../../support/browser/remote-page.ts";

test("refuses a scope that the script may not have", async () => {
  const page = await openMswPage();
  const serviceWorker = { url: "/mocks/mockServiceWorker.js", options: { scope: "/" } };
  expect(await startMsw(page, { serviceWorker })).toContain(
    `ERR_OPTION_INVALID: Cannot start the worker: msw could not register ${siteOrigin()}/mocks/mockServiceWorker.js`,
  );
});

test("refuses a page that the worker does not reach, and is gone again", async () => {
  const page = await openMswPage();
  const serviceWorker = { url: "/mocks/mockServiceWorker.js" };
  expect(await startMsw(page, { serviceWorker })).toContain(
    `it answers pages below ${siteOrigin()}/mocks/, but this one is ${siteOrigin()}/`,
  );
  expect(await startMsw(page)).toBe("started");
  expect(await getIn(page, "/rest/users")).toBe(ownRows);
});

test("refuses to start twice in a page, until the first is stopped", async () => {
  const page = await openMswPage();
  expect(await startMsw(page)).toBe("started");
  expect(await startMsw(page)).toContain("another worker answers this page");
  await page.evaluate(() => globalThis.remote?.close());
  expect(await startMsw(page)).toBe("started");
});

test("refuses fixtures and options that are wrong, and nothing is started", async () => {
  const page = await openMswPage();
  expect(await startMsw(page, { fixtures: { models: [], tabels: {} } })).toContain(
    "ERR_FIXTURES_INVALID",
  );
  expect(await startMsw(page, { speeed: 2 })).toContain('"speed"');
  expect(await getIn(page, "/rest/users")).toMatch(/^404 /);
});

test("prints nothing unless it is told to", async () => {
  const page = await openMswPage();
  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.text()));
  await startMsw(page);
  await getIn(page, "/rest/users");
  expect(printed).toEqual([]);
});

test("warns of requests that nobody answers, where it is told to", async () => {
  const page = await openMswPage();
  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.type()));
  await startMsw(page, { onUnhandledRequest: "warn" });
  expect(await getIn(page, "/other")).toMatch(/^404 /);
  expect(printed).toContain("warning");
});

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

test("leaves a page its own images, even at a path of the emulator", async () => {
  const page = await openMswPage();
  await startMsw(page);
  const address = `${siteOrigin()}/models/own`;
  const loaded = page.waitForResponse(address);
  await page.evaluate((url) => globalThis.remote?.addElement("img", url), address);
  expect((await loaded).status()).toBe(404);
  expect(await getIn(page, "/models/own")).toMatch(/^200 .*"object":"model"/);
});

test("answers at an address without service workers too", async () => {
  const page = await openMswPage();
  await page.goto(siteOrigin().replace("127.0.0.1", insecureHost));
  expect(await page.evaluate("isSecureContext")).toBe(false);
  expect(await startMsw(page)).toBe("started");
  expect(await getIn(page, "/rest/users")).toBe(ownRows);
});

test("stops the source of a stream when the page aborts", async () => {
  const page = await openMswPage();
  const chats = [{ name: "slow", reply: { chunks: ["one", { wait: 3_600_000 }, "two"] } }];
  await startMsw(page, { fixtures: { models: [{ id: "atlas" }], chats } });
  const body = JSON.stringify(asking("Hi", { stream: true }));
  const leaving = { how: "abort", body, count: 1 } as const;
  expect(await page.evaluate(leaveStream, leaving)).toBeLessThan(3_600_000);
});
