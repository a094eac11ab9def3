import { expect, test } from "vitest";
import { asking } from "../../../support/contract-chats.ts";
import { browserContext } from "../../../support/browser/browser.ts";
import {
  getIn,
  openOwnPage,
  openStream,
  ownRows,
  startOwn,
} from "../../../support/browser/own-page.ts";

import { siteWithPolicy } from "../../../support/browser/site-with-policy.ts";
import { stopWorkers } from "../../../support/browser/stop-workers.ts";

const hour = 3_600_000;
const templates = { parts: ["templates"] };
const faker = { parts: ["faker", "templates"] };

test("breaks off a stream of another tab when a worker with more parts comes", async () => {
  const context = await browserContext();
  const [one, two] = [await openOwnPage(context), await openOwnPage(context)];
  const chats = [{ name: "slow", reply: { chunks: ["one", { wait: hour }, "two"] } }];
  await startOwn(one, { fixtures: { models: [{ id: "atlas" }], chats } });
  const streamEnd = await openStream(one, asking("Hi", { stream: true }));
  expect(await startOwn(two, templates)).toBe("started");
  expect(await streamEnd()).toBe("TypeError");
  expect(await getIn(one, "/rest/users")).toBe(ownRows);
});

test("starts in two tabs at once that need different parts", async () => {
  const context = await browserContext();
  const pages = [await openOwnPage(context), await openOwnPage(context)];
  const wants = [faker, templates];
  const said = await Promise.all(pages.map((page, at) => startOwn(page, wants[at])));
  expect(said).toEqual(["started", "started"]);
  for (const page of pages) expect(await getIn(page, "/rest/users")).toBe(ownRows);
});

test("starts twice in one page that needs different parts", async () => {
  const page = await openOwnPage();
  const said = await Promise.all([startOwn(page, templates), startOwn(page, faker)]);
  expect(said).toEqual(["started", "started"]);
  expect(await getIn(page, "/rest/users")).toBe(ownRows);
});

const scripts = (weights: ReadonlyMap<string, number>): readonly string[] =>
  [...weights.keys()].filter((path) => path.startsWith("/backlot-worker")).toSorted();

const first = ["/backlot-worker.js", "/backlot-worker/chat.js", "/backlot-worker/start.js"];

test("has the console without a network, once it was opened", async () => {
  const { page } = await siteWithPolicy("");
  await startOwn(page);
  expect(await getIn(page, "/__backlot/health")).toMatch(/^200 /);
  await page.context().setOffline(true);
  await stopWorkers(page);
  expect(await getIn(page, "/__backlot/health")).toMatch(/^200 /);
});

test("refuses a part of another version, and takes the right one afterwards", async () => {
  const { page, dropWorker, restoreWorker } = await siteWithPolicy("");
  await startOwn(page);
  dropWorker();
  expect(await getIn(page, "/__backlot/health")).not.toContain('"ok"');
  restoreWorker();
  expect(await getIn(page, "/__backlot/health")).toContain('"ok"');
});

test("installs everything where the site's policy lets no text run", async () => {
  const { page, weights } = await siteWithPolicy("script-src 'self'");
  expect(await startOwn(page)).toBe("started");
  expect(scripts(weights)).toEqual(
    [...first, "/backlot-worker/control.js", "/backlot-worker/more.js"].toSorted(),
  );
  await page.context().setOffline(true);
  expect(await getIn(page, "/__backlot/health")).toMatch(/^200 /);
});

test("leaves the console to a server that has taken the place of the worker's site", async () => {
  const { page, dropWorker } = await siteWithPolicy("");
  await startOwn(page);
  const address = new URL("/__backlot/#/tables", page.url()).href;
  await page.goto(address);
  await page.getByRole("heading", { name: "Tables" }).waitFor();
  dropWorker();
  await page.goto("about:blank");
  await page.goto(address);
  expect(await page.title()).toBe("The server");
  expect(page.url()).toBe(address);
  expect(await getIn(page, "/__backlot/health")).toContain("<title>The server</title>");
});
