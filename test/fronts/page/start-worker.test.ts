import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { browserContext, siteOrigin } from "../../support/browser/browser.ts";
import { insecureHost } from "../../support/browser/insecure-host.ts";
import { RemotePage } from "../../support/browser/remote-page.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };

async function openPage(): Promise<Page> {
  return (await RemotePage.open(await browserContext())).page;
}

/** Starts a worker in a page; gives the error's code and message where it does not. */
function start(page: Page, options: object = {}): Promise<string> {
  const all = { fixtures, auth: false, ...options };
  return page.evaluate(
    (given) =>
      globalThis.remote
        ?.open(JSON.stringify(given))
        .then(() => "started")
        .catch((error) => `${error.code}: ${error.message}`) ?? "",
    all,
  );
}

/** What the page gets at a path: the status and the text. */
function get(page: Page, path: string): Promise<string> {
  return page.evaluate(async (asked) => {
    const response = await fetch(asked);
    return `${response.status} ${await response.text()}`;
  }, path);
}

const rows = '200 {"result":[{"id":1,"name":"Ada"}]}';

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
  const page = await openPage();
  const fulfil = (route: Route): Promise<void> =>
    route.fulfill({ contentType: "text/javascript", ...answer });
  await page.route("**/mockServiceWorker.js", fulfil);
  const said = await start(page);
  expect(said).toContain(
    `ERR_OPTION_INVALID: Cannot start the worker: ${siteOrigin()}/mockServiceWorker.js ${says}`,
  );
  expect(said).toContain("npx backlot init --worker");
  await page.unroute("**/mockServiceWorker.js");
  expect(await start(page)).toBe("started");
});

test("refuses a scope that the script may not have", async () => {
  const page = await openPage();
  const serviceWorker = { url: "/mocks/mockServiceWorker.js", options: { scope: "/" } };
  expect(await start(page, { serviceWorker })).toContain(
    `ERR_OPTION_INVALID: Cannot start the worker: msw could not register ${siteOrigin()}/mocks/mockServiceWorker.js`,
  );
});

test("refuses a page that the worker does not reach, and is gone again", async () => {
  const page = await openPage();
  const serviceWorker = { url: "/mocks/mockServiceWorker.js" };
  expect(await start(page, { serviceWorker })).toContain(
    `it answers pages below ${siteOrigin()}/mocks/, but this one is ${siteOrigin()}/`,
  );
  expect(await start(page)).toBe("started");
  expect(await get(page, "/rest/users")).toBe(rows);
});

test("refuses to start twice in a page, until the first is stopped", async () => {
  const page = await openPage();
  expect(await start(page)).toBe("started");
  expect(await start(page)).toContain("another worker answers this page");
  await page.evaluate(() => globalThis.remote?.close());
  expect(await start(page)).toBe("started");
});

test("refuses fixtures and options that are wrong, and nothing is started", async () => {
  const page = await openPage();
  expect(await start(page, { fixtures: { models: [], tabels: {} } })).toContain(
    "ERR_FIXTURES_INVALID",
  );
  expect(await start(page, { speeed: 2 })).toContain('"speed"');
  expect(await get(page, "/rest/users")).toMatch(/^404 /);
});

test("lets requests through once it is stopped", async () => {
  const page = await openPage();
  const statuses = await page.evaluate(stopAndGet, JSON.stringify({ fixtures, auth: false }));
  expect(new Set(statuses)).toEqual(new Set([404]));
});

test("prints nothing unless it is told to", async () => {
  const page = await openPage();
  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.text()));
  await start(page);
  await get(page, "/rest/users");
  expect(printed).toEqual([]);
});

test("warns of a worker of the other kind at its origin, whichever came first", async () => {
  const context = await browserContext();
  const printed: string[] = [];
  context.on("console", (message) => printed.push(message.text()));
  const own = await RemotePage.open(context, "/own/");
  const begin = { script: "/own/backlot-worker.js" };
  expect(await start(own.page, begin)).toBe("started");
  const other = await RemotePage.open(context);
  expect(await start(other.page)).toBe("started");
  expect(printed).toEqual([expect.stringMatching(/\/own\/backlot-worker\.js\S* for http/)]);
  expect(await start(own.page, begin)).toBe("started");
  expect(printed.slice(1)).toEqual([expect.stringMatching(/mockServiceWorker\.js for http/)]);
});

test.each([
  ["onUnhandledRequest", "warn"],
  ["onUnhandledFrame", "warn"],
  ["onUnhandledRequest", "bypass"],
  ["onUnhandledFrame", "bypass"],
])("does as %s: %s says about requests that nobody answers", async (option, strategy) => {
  const page = await openPage();
  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.type()));
  await start(page, { [option]: strategy });
  expect(await get(page, "/other")).toMatch(/^404 /);
  expect(printed.includes("warning")).toBe(strategy === "warn");
});

test("begins anew when the page is loaded again", async () => {
  const remote = await RemotePage.open(await browserContext());
  await start(remote.page);
  await remote.page.evaluate(() => globalThis.remote?.insert("users", '{"name":"Grace"}'));
  await remote.load();
  expect(await get(remote.page, "/rest/users")).toMatch(/^404 /);
  expect(await start(remote.page)).toBe("started");
  expect(await get(remote.page, "/rest/users")).toBe(rows);
});

test("answers each tab from its own emulator, and leaves other tabs alone", async () => {
  const context = await browserContext();
  const tabs = await Promise.all([1, 2, 3].map(() => RemotePage.open(context)));
  const [one, two, three] = tabs.map(({ page }) => page);
  if (one === undefined || two === undefined || three === undefined) throw new Error("No tabs.");
  await start(one);
  await start(two, { fixtures: { tables: { users: [] } } });
  expect(await get(one, "/rest/users")).toBe(rows);
  expect(await get(two, "/rest/users")).toBe('200 {"result":[]}');
  expect(await get(three, "/rest/users")).toMatch(/^404 /);
  await two.close();
  expect(await get(one, "/rest/users")).toBe(rows);
});

test.each(["img", "script", "link rel=stylesheet", "iframe"])(
  "leaves a page its own %s, even at a path of the emulator",
  async (element) => {
    const page = await openPage();
    await start(page);
    const address = `${siteOrigin()}/models/own`;
    const loaded = page.waitForResponse(address);
    await page.evaluate(([tag, url]) => globalThis.remote?.addElement(tag, url), [
      element,
      address,
    ] as const);
    expect((await loaded).status()).toBe(404);
    expect(await get(page, "/models/own")).toMatch(/^200 .*"object":"model"/);
  },
);

test("answers at an address without service workers too", async () => {
  const page = await openPage();
  await page.goto(siteOrigin().replace("127.0.0.1", insecureHost));
  await page.waitForFunction(() => globalThis.remote !== undefined);
  expect(await page.evaluate("isSecureContext")).toBe(false);
  expect(await start(page)).toBe("started");
  expect(await get(page, "/rest/users")).toBe(rows);
});
