import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { browserContext, siteOrigin } from "../../../support/browser/browser.ts";
import { openMswPage, startMsw } from "../../../support/browser/msw-page.ts";
import { getIn, ownFixtures, ownRows } from "../../../support/browser/own-page.ts";
import { RemotePage } from "../../../support/browser/remote-page.ts";
import { insecureHost } from "../../../support/browser/insecure-host.ts";

/** Runs in the page: the statuses of requests right after the worker was stopped, several times. */
async function stopAndGet(options: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < 40; count += 1) {
    await globalThis.remote?.open(options);
    await fetch("/rest/users");
    await globalThis.remote?.close();
    statuses.push((await fetch("/rest/users")).status);
  }
  return statuses;
}

const badScripts: readonly (readonly [what: string, answer: object, says: string])[] = [
  ["is missing", { status: 404, body: "" }, "is answered with status 404"],
  [
    "is a page",
    { contentType: "text/html", body: "<!doctype html><title>App</title>" },
    "is an HTML page",
  ],
  [
    "has the wrong type",
    { contentType: "text/plain", body: "x" },
    "is served as text/plain, instead of",
  ],
  [
    "is another one",
    { body: "addEventListener('fetch', () => {})" },
    "is not a worker script of msw",
  ],
  ["is too old", { body: "const PACKAGE_VERSION = '2.14.6'" }, "is of msw 2.14.6, older than 2.15"],
  [
    "is of another major",
    { body: "const PACKAGE_VERSION = '9.0.0'" },
    "is of msw 9.0.0, but the page has msw",
  ],
];

test.each(badScripts)("refuses to start when the script %s", async (_, answer, says) => {
  const page = await openMswPage();
  const fulfil = (route: Route): Promise<void> =>
    route.fulfill({ contentType: "text/javascript", ...answer });
  await page.route("**/mockServiceWorker.js", fulfil);
  const said = await startMsw(page);
  expect(said).toContain(
    `ERR_OPTION_INVALID: Cannot start the worker: ${siteOrigin()}/mockServiceWorker.js ${says}`,
  );
  expect(said).toContain("npx backlot init --worker");
  await page.unroute("**/mockServiceWorker.js");
  expect(await startMsw(page)).toBe("started");
});

test("lets requests through once it is stopped", async () => {
  const page = await openMswPage();
  const statuses = await page.evaluate(
    stopAndGet,
    JSON.stringify({ fixtures: ownFixtures, auth: false }),
  );
  expect(new Set(statuses)).toEqual(new Set([404]));
});

test("warns of a worker of the other kind at its origin, whichever came first", async () => {
  const context = await browserContext();
  const printed: string[] = [];
  context.on("console", (message) => printed.push(message.text()));
  const own = await RemotePage.open(context, "/own/");
  const begin = { script: "/own/backlot-worker.js" };
  expect(await startMsw(own.page, begin)).toBe("started");
  const other = await RemotePage.open(context);
  expect(await startMsw(other.page)).toBe("started");
  expect(printed).toEqual([expect.stringMatching(/\/own\/backlot-worker\.js\S* for http/)]);
  expect(await startMsw(own.page, begin)).toBe("started");
  expect(printed.slice(1)).toEqual([expect.stringMatching(/mockServiceWorker\.js for http/)]);
});

test.each([
  ["onUnhandledFrame", "warn"],
  ["onUnhandledRequest", "bypass"],
  ["onUnhandledFrame", "bypass"],
])("does as %s: %s says about requests that nobody answers", async (option, strategy) => {
  const page = await openMswPage();
  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.type()));
  await startMsw(page, { [option]: strategy });
  expect(await getIn(page, "/other")).toMatch(/^404 /);
  expect(printed.includes("warning")).toBe(strategy === "warn");
});

test.each(["script", "link rel=stylesheet", "iframe"])(
  "leaves a page its own %s, even at a path of the emulator",
  async (element) => {
    const page = await openMswPage();
    await startMsw(page);
    const address = `${siteOrigin()}/models/own`;
    const loaded = page.waitForResponse(address);
    await page.evaluate(([tag, url]) => globalThis.remote?.addElement(tag, url), [
      element,
      address,
    ] as const);
    expect((await loaded).status()).toBe(404);
    expect(await getIn(page, "/models/own")).toMatch(/^200 .*"object":"model"/);
  },
);

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

test("refuses fixtures and options that are wrong, and nothing is started", async () => {
  const page = await openMswPage();
  expect(await startMsw(page, { fixtures: { models: [], tabels: {} } })).toContain(
    "ERR_FIXTURES_INVALID",
  );
  expect(await startMsw(page, { speeed: 2 })).toContain('"speed"');
  expect(await getIn(page, "/rest/users")).toMatch(/^404 /);
});
